# States of connections, segment by segment, with a scripted other end.
. "$(dirname "$0")/../lib.bash"
. "$LIVE/helpers/peer.bash"

play_both states <<'END'
scenario accepted, closed by the other
listen L
< S
> SA
< A
accept A L
< PA 10
> A
read A 10
write A 5
> PA 5
< A
< FA
> A
end A
close A
> FA
< A
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive PA 10 established
= send A 0 established
= send PA 5 established
= receive A 0 established
= receive FA 0 established
= change established close-wait
= send A 0 close-wait
= change close-wait last-ack
= send FA 0 last-ack
= receive A 0 last-ack
= change last-ack closed
= destroy closed
= change listen closed
= destroy closed

scenario accepted, closed from here
listen L
< S
> SA
< A
accept A L
close A
> FA
< A
< FA
> A
# The FIN arrives again, and the socket in TIME_WAIT answers it.
< FA seq=-1
> A
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive A 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed
= send A 0 time-wait
= receive FA 0 time-wait
= send A 0 time-wait
= receive FA 0 time-wait
= change listen closed
= destroy closed

scenario connected, closed from here
connect C
> S
< SA
> A
close C
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
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed

scenario connected from a port of its own, closed by the other
connect C bound
> S
< SA
> A
< FA
> A
close C
> FA
< A
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= receive FA 0 established
= change established close-wait
= send A 0 close-wait
= change close-wait last-ack
= send FA 0 last-ack
= receive A 0 last-ack
= change last-ack closed
= destroy closed

scenario half closed from here: the other goes on
connect C
> S
< SA
> A
shutdown C wr
> FA
< A
< PA 10
> A
read C 10
< FA
> A
close C
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive A 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= receive PA 10 fin-wait-2
= send A 0 fin-wait-2
= receive FA 0 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed

scenario nothing to read any more
connect C
> S
< SA
> A
shutdown C rd
end C
close C
> FA
< A
< FA
> A
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive A 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed
= send A 0 time-wait
= receive FA 0 time-wait

scenario both close at the same time
connect C
> S
< SA
> A
close C
> FA
< FA ack=-1
> A
< A
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= send A 0 fin-wait-1
= change fin-wait-1 closing
= receive A 0 closing
= change closing time-wait
= destroy closed

scenario both open at the same time
connect C bound
> S
< S
> SA
< SA seq=-1
> A
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
= receive SA 0 syn-received
= connect-established SA 0 established
= change syn-received established
= send A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed

scenario both open at the same time, the other only acknowledges
connect C bound
> S
< S
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

scenario a listener closes on a connection that nobody accepted
listen L
< S
> SA
< A
sleep 10
close L
> RA
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= change listen closed
= change established closed
= send RA 0 closed
= reset-sent 0 0 closed TCP_STATE
= destroy closed
= destroy closed

scenario a full queue: the second connection waits, the third SYN gets no answer
listen L 0
< S
> SA
< A
with 1
< S
> none 100
with 0
accept A L
with 1
< S seq=-1
> SA
< A
accept B L
< R
error B
close B
with 0
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
= receive S 0 listen
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
= change listen closed
= destroy closed
END
finish
