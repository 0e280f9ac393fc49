/* args: -r tests/pcap/connections.pcap -q */
replay:::send, replay:::receive
{
	printf("%4d %-24s %d\n", (timestamp - 1700000000000000000) / 1000000, probename,
	    args[1] == NULL ? 0 : args[1]->__sk_common.skc_state);
}
replay:::connect_request, replay:::connect_established, replay:::connect_refused, replay:::accept_established
{
	printf("     %-24s %d %d\n", probename, args[1]->__sk_common.skc_state, args[0]->len);
}
replay:::accept_refused
{
	printf("     %-24s %d %d\n", probename, args[1] == NULL, args[0]->len);
}
rawtp:::inet_sock_set_state
{
	printf("     %-24s %d -> %d, %d\n", probename, args[1], args[2], args[0]->__sk_common.skc_state);
}
rawtp:::tcp_receive_reset
{
	printf("     %-24s %d\n", probename, args[0]->__sk_common.skc_state);
}
rawtp:::tcp_retransmit_skb
{
	printf("     %-24s %d %d\n", probename, args[0]->__sk_common.skc_state, args[1]->len);
}
rawtp:::tcp_destroy_sock
{
	printf("     %-24s %d %d\n", probename, args[0]->__sk_common.skc_state, args[0]->sk_err);
}
