# Resets and other segments that end a connection abnormally, or belong to none.
. "$(dirname "$0")/../lib.bash"
. "$LIVE/helpers/peer.bash"

play_both resets <<'END'
scenario nobody listens
< S
> RA
< A
> R
< FA 0
> R
< 0
> RA
< FPU
> RA
< R
> none 20
< S 20
> RA
= receive S 0 closed
= accept-refused RA 0 closed
= reset-sent RA 0 closed NO_SOCKET
= send RA 0 closed
= drop S 0 closed NO_SOCKET
= receive A 0 closed
= reset-sent R 0 closed NO_SOCKET
= send R 0 closed
= drop A 0 closed NO_SOCKET
= receive FA 0 closed
= reset-sent R 0 closed NO_SOCKET
= send R 0 closed
= drop FA 0 closed NO_SOCKET
= receive 0 0 closed
= reset-sent RA 0 closed NO_SOCKET
= send RA 0 closed
= drop 0 0 closed NO_SOCKET
= receive FPU 0 closed
= reset-sent RA 0 closed NO_SOCKET
= send RA 0 closed
= drop FPU 0 closed NO_SOCKET
= receive R 0 closed
= drop R 0 closed NO_SOCKET
= receive S 20 closed
= accept-refused RA 0 closed
= reset-sent RA 0 closed NO_SOCKET
= send RA 0 closed
= drop S 20 closed NO_SOCKET

scenario a listener gets what it cannot use
listen L
< A
> R
< 0
< FPU
< R
> none 20
close L
= change closed listen
= receive A 0 listen
= reset-sent R 0 listen TCP_FLAGS
= send R 0 listen
= drop A 0 listen TCP_FLAGS
= receive 0 0 listen
= drop 0 0 listen TCP_FLAGS
= receive FPU 0 listen
= drop FPU 0 listen TCP_FLAGS
= receive R 0 listen
= drop R 0 listen TCP_RESET
= change listen closed
= destroy closed

scenario refused by the other
connect C bound
> S
# The segment is not an answer to this SYN.
< RA ack=7
< R
< RA
error C
close C
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive RA 0 syn-sent
= drop RA 0 syn-sent TCP_INVALID_ACK_SEQUENCE
= receive R 0 syn-sent
= drop R 0 syn-sent TCP_RESET
= receive RA 0 syn-sent
= connect-refused RA 0 syn-sent
= reset-received syn-sent
= change syn-sent closed
= destroy closed

scenario another number acknowledged than that of our SYN
connect C
> S
< SA ack=100
> R
< RA
error C
close C
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= reset-sent R 0 syn-sent TCP_INVALID_ACK_SEQUENCE
= send R 0 syn-sent
= drop SA 0 syn-sent TCP_INVALID_ACK_SEQUENCE
= receive RA 0 syn-sent
= connect-refused RA 0 syn-sent
= reset-received syn-sent
= change syn-sent closed
= destroy closed

scenario reset by the other
connect C
> S
< SA
> A
# A reset outside of the window, and a reset inside the window whose number is not the next one.
< R seq=-100
< R seq=10
> A
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
= receive R 0 established
= drop R 0 established TCP_OLD_SEQUENCE
= receive R 0 established
= send A 0 established
= drop R 0 established TCP_RESET
= receive R 0 established
= reset-received established
= change established closed
= destroy closed

scenario reset by the other that waits to be closed
connect C
> S
< SA
> A
< FA
> A
< R
end C
close C
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
= receive R 0 close-wait
= reset-received close-wait
= change close-wait closed
= destroy closed

scenario closed with unread data
connect C
> S
< SA
> A
< PA 10
> A
close C
> RA
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= receive PA 10 established
= send A 0 established
= change established closed
= send RA 0 closed
= reset-sent 0 0 closed TCP_ABORT_ON_CLOSE
= destroy closed

scenario linger 0
connect C
> S
< SA
> A
linger C 0
close C
> RA
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= change established closed
= send RA 0 closed
= reset-sent 0 0 closed TCP_STATE
= destroy closed

scenario data for whom nobody is there any more
connect C
> S
< SA
> A
close C
> FA
< PA 10 ack=-1
> R
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive PA 10 fin-wait-1
= change fin-wait-1 closed
= destroy closed
= reset-sent R 0 closed TCP_ABORT_ON_DATA
= send R 0 closed
= drop PA 10 closed TCP_ABORT_ON_DATA

scenario reset by the other when nobody is there any more
connect C
> S
< SA
> A
close C
> FA
< R
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= send A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive R 0 fin-wait-1
= reset-received fin-wait-1
= change fin-wait-1 closed
= destroy closed

scenario data for whom nobody is there any more, after our FIN
connect C
> S
< SA
> A
close C
> FA
< A
< PA 10
> R
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
= reset-sent R 0 time-wait TCP_TIMEWAIT_SOCKET
= send R 0 time-wait
= receive PA 10 time-wait

scenario the request is taken back
listen L
< S
> SA
< R
> none 10
close L
= change closed listen
= receive S 0 listen
= send SA 0 listen
= receive R 0 listen
= drop R 0 listen NOT_SPECIFIED
= change listen closed
= destroy closed

scenario a reset ends TIME_WAIT
connect C
> S
< SA
> A
close C
> FA
< FA
> A
< R
< A
> R
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
= receive R 0 time-wait
= receive A 0 closed
= reset-sent R 0 closed NO_SOCKET
= send R 0 closed
= drop A 0 closed NO_SOCKET

scenario a new connection out of TIME_WAIT
listen L
< S
> SA
< A
accept A L
close A
> FA
< FA
> A
skip 1000
< S
> SA
< A
accept B L
< FA
> A
close B
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
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed
= receive S 0 listen
= send SA 0 listen
= receive A 0 listen
= change listen syn-received
= accept-established A 0 established
= change syn-received established
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

scenario SYN into a connection
connect C
> S
< SA
> A
< S seq=0
> A
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
= receive S 0 established
= send A 0 established
= drop S 0 established TCP_INVALID_SYN
= receive R 0 established
= reset-received established
= change established closed
= destroy closed

scenario a damaged segment
connect C
> S
< SA
> A
< PA 10 badsum
> none 10
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
= drop PA 10 closed TCP_CSUM
= receive R 0 established
= reset-received established
= change established closed
= destroy closed

scenario out of order, and twice
connect C
> S
< SA
> A
< PA 10 seq=10
> A
< PA 20
> A
< PA 20 seq=-20
> A
read C 20
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
= receive PA 10 established
= send A 0 established
= receive PA 20 established
= drop PA 10 established TCP_OFO_DROP
= send A 0 established
= receive PA 20 established
= drop PA 20 established TCP_OLD_DATA
= send A 0 established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed

scenario aborted by a connection that is to go elsewhere
connect C
> S
close C
< SA
> R
= change closed syn-sent
= connect-request S 0 syn-sent
= send S 0 syn-sent
= change syn-sent closed
= destroy closed
= receive SA 0 closed
= reset-sent R 0 closed NO_SOCKET
= send R 0 closed
= drop SA 0 closed NO_SOCKET
END
finish
