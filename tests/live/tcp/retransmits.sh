# Segments that are retransmitted, and segments that only look retransmitted.
. "$(dirname "$0")/../lib.bash"
. "$LIVE/helpers/peer.bash"

play_both again <<'END'
scenario the SYN
connect C
> S
> S
< SA
> A
< R
error C
close C
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= retransmit S 0 syn-sent syn
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed

scenario the SYN+ACK, for nobody answers and for it is asked for
listen L
< S
> SA
> SA
< S seq=-1
> SA
< A
accept A L
< R
error A
close A
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= send SA 0 listen
= retransmit 0 0 syn-received syn-ack
= receive S 0 listen
= send SA 0 listen
= retransmit 0 0 syn-received syn-ack
= drop S 0 listen NOT_SPECIFIED
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
= change listen closed
= destroy closed

scenario the SYN+ACK of a simultaneous open
connect C bound
> S
< S
> SA
> SA
< A
close C
> FA
< FA
> A
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive S 0 syn-sent
= change syn-sent syn-received
= send SA 0 syn-received
= retransmit SA 0 syn-received syn-ack
= send SA 0 syn-received
= receive A 0 syn-received
= connect-established A 0 established
= change syn-received established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed

scenario data and the end
connect C
> S
< SA
> A
write C 10
> PA 10
> PA 10
< A
close C
> FA
> FA
< FA
> A
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= send PA 10 established
= retransmit PA 10 established timeout
= send PA 10 established
= receive A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= retransmit FA 0 fin-wait-1 timeout
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed

scenario data that three others overtake
listen L
< S mss=600
> SA
< A
accept A L
option A nodelay 1
write A 600
write A 600
write A 600
write A 600
write A 600
> PA 600
> PA 600
> PA 600
> PA 600
> PA 600
< A ack=-3000
< A ack=-3000
< A ack=-3000
> PA 600
< A
< R
error A
close A
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= send PA 600 established
= send PA 600 established
= send PA 600 established
= send PA 600 established
= send PA 600 established
= receive A 0 established
= receive A 0 established
= receive A 0 established
= retransmit PA 600 established fast
= send PA 600 established
= receive A 0 established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
= change listen closed
= destroy closed

scenario a window of zero is asked about
connect C
> S
< SA
> A
< A win=0
write C 10
> A
< A win=0
> A
< A
> PA 10
< A
< R
error C
close C
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= receive A 0 established
= send A 0 established
= receive A 0 established
= send A 0 established
= receive A 0 established
= send PA 10 established
= receive A 0 established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed

scenario a connection is asked whether it is alive
connect C
> S
< SA
> A
option C keepalive 1
> A
< A
< R
error C
close C
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= send A 0 established
= receive A 0 established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
END
finish
