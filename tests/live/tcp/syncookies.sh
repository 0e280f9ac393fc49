# SYN cookies: a listener keeps no state for a connection before it is established.
. "$(dirname "$0")/../lib.bash"
. "$LIVE/helpers/peer.bash"
in_ns one sh -c 'echo 2 >/proc/sys/net/ipv4/tcp_syncookies' 2>/dev/null || skip 'no SYN cookies here'

play_both cookies <<'END'
scenario accepted, closed by the other
listen L
< S mss=1400
> SA
< PA 10
> A
accept A L
read A 10
< FA
> A
close A
> FA
< A
close L
= change closed listen
= receive S 0 listen
= send SA 0 closed
= receive PA 10 listen
= change listen syn-received
= accept-established PA 10 established
= change syn-received established
= send A 0 established
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

scenario accepted, and reset
listen L
< S mss=1400
> SA
< A
accept A L
< R
error A
close A
close L
= change closed listen
= receive S 0 listen
= send SA 0 closed
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

scenario an acknowledgement of no cookie
listen L
< S mss=1400
> SA
< A ack=77
> R
close L
= change closed listen
= receive S 0 listen
= send SA 0 closed
= receive A 0 listen
= reset-sent R 0 listen TCP_FLAGS
= send R 0 listen
= drop A 0 listen TCP_FLAGS
= change listen closed
= destroy closed

scenario a SYN again
listen L
< S mss=1400
> SA
< S seq=-1 mss=1400
> SA
< A
accept A L
< R
error A
close A
close L
= change closed listen
= receive S 0 listen
= send SA 0 closed
= receive S 0 listen
= send SA 0 closed
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
END
finish
