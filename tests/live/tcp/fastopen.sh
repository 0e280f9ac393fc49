# TCP Fast Open: the SYN of a connection has data. The test accepts and opens such connections.
. "$(dirname "$0")/../lib.bash"
. "$LIVE/helpers/peer.bash"
# Enables TCP Fast Open for clients and listeners, without a cookie.
in_ns one sh -c 'echo 0x607 >/proc/sys/net/ipv4/tcp_fastopen' || skip 'no TCP Fast Open here'

play_both fast <<'END'
scenario accepted with the data
listen L
option L fastopen 5
< S 20
> SA
accept A L
read A 20
write A 5
> PA 5
< A
< PA 10
> A
< FA
> A
close A
> RA
close L
= change closed listen
= receive S 20 listen
= change listen syn-received
= send SA 0 syn-received
= send PA 5 syn-received
= receive A 0 syn-received
= accept-established 0 0 established
= change syn-received established
= receive PA 10 established
= send A 0 established
= receive FA 0 established
= change established close-wait
= send A 0 close-wait
= change close-wait closed
= send RA 0 closed
= reset-sent 0 0 closed TCP_ABORT_ON_CLOSE
= destroy closed
= change listen closed
= destroy closed

scenario accepted, the other closes in order
listen L
option L fastopen 5
< S 20
> SA
< A
accept A L
read A 20
< FA
> A
close A
> FA
< A
close L
= change closed listen
= receive S 20 listen
= change listen syn-received
= send SA 0 syn-received
= receive A 0 syn-received
= accept-established 0 0 established
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

scenario accepted, closed before the handshake is over
listen L
option L fastopen 5
< S 20
> SA
accept A L
read A 20
close A
> FA
< A
< FA
> A
close L
= change closed listen
= receive S 20 listen
= change listen syn-received
= send SA 0 syn-received
= change syn-received fin-wait-1
= send FA 0 fin-wait-1
= receive A 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed
= send A 0 time-wait
= receive FA 0 time-wait
= change listen closed
= destroy closed

scenario accepted, the SYN+ACK is asked for again
listen L
option L fastopen 5
< S 20
> SA
accept A L
read A 20
< S seq=-21
> SA
< A
< R
error A
close A
close L
= change closed listen
= receive S 20 listen
= change listen syn-received
= send SA 0 syn-received
= receive S 0 syn-received
=4 send SA 0 listen
=6 send SA 0 syn-received
= retransmit 0 0 syn-received syn-ack
= drop S 0 syn-received TCP_FASTOPEN
= receive A 0 syn-received
= accept-established 0 0 established
= change syn-received established
= receive R 0 established
= reset-received established
= change established closed
= destroy closed
= change listen closed
= destroy closed

scenario accepted, and reset in the handshake
listen L
option L fastopen 5
< S 20
> SA
accept A L
< R
close A
close L
= change closed listen
= receive S 20 listen
= change listen syn-received
= send SA 0 syn-received
= receive R 0 syn-received
= reset-received syn-received
= change syn-received closed
= drop R 0 closed TCP_FASTOPEN
= destroy closed
= change listen closed
= destroy closed

scenario connected with the data
fastopen C 20
> S 20
< SA
> A
close C
> FA
< FA
> A
= change closed syn-sent
= connect-request S 20 syn-sent
= send S 20 syn-sent
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

scenario connected, the data not taken
fastopen C 20
> S 20
< SA ack=-20
> PA 20
< A
close C
> FA
< FA
> A
= change closed syn-sent
= connect-request S 20 syn-sent
= send S 20 syn-sent
= receive SA 0 syn-sent
= change syn-sent established
= connect-established SA 0 established
= retransmit PA 20 established loss
= send PA 20 established
= receive A 0 established
= change established fin-wait-1
= send FA 0 fin-wait-1
= receive FA 0 fin-wait-1
= change fin-wait-1 fin-wait-2
= send A 0 fin-wait-2
= change fin-wait-2 time-wait
= destroy closed

scenario refused with its data
fastopen C 20
> S 20
< RA
error C
close C
= change closed syn-sent
= connect-request S 20 syn-sent
= send S 20 syn-sent
= receive RA 0 syn-sent
= connect-refused RA 0 syn-sent
= reset-received syn-sent
= change syn-sent closed
= destroy closed
END
finish
