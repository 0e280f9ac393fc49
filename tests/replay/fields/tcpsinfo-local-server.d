/* args: -q -r tests/pcap/tcpoptions.pcap -x local=192.0.2.2 */
/* A server's capture: the accepted socket has the options of the client's SYN, though the client is not local. */
tcp:::accept-established
{
	printf("%d %d %d %d\n", args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws, args[3]->tcps_mss, args[3]->tcps_swnd);
}
