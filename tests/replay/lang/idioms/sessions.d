/* args: -q -r tests/pcap/sessions.pcap -x local=192.0.2.2 -x defaultargs */
/* Connections as the DTraceToolkit shows them: optional columns, a filter, and times in self-> style. */
inline int OPT_dest = 0;
inline int OPT_port = 1;
inline int FILTER = OPT_dest || OPT_port;
inline int PORT = 80;

dtrace:::BEGIN
{
	FILTER ? printf("%-5s ", "PORT") : printf("%-5s ", "ANY");
	printf("%-15s %8s %s\n", "REMOTE", "MS", $$1 == "" ? "ALL" : $$1);
}

tcp:::accept-established, tcp:::connect-established
{
	began[args[1]->cs_cid] = timestamp;
	this->ok = FILTER ? 0 : 1;
	OPT_port ? this->ok = args[3]->tcps_lport == PORT || args[3]->tcps_rport == PORT : 1;
	wanted[args[1]->cs_cid] = this->ok;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && began[args[1]->cs_cid]/
{
	this->ms = (timestamp - began[args[1]->cs_cid]) / 1000000;
	FILTER ? printf("%-5d ", args[3]->tcps_lport) : 1;
	printf("%-15s %8d %s\n", args[3]->tcps_raddr, this->ms,
	    wanted[args[1]->cs_cid] ? "wanted" : "-");
	@states[OPT_dest ? args[3]->tcps_raddr : stringof(probename)] = count();
	began[args[1]->cs_cid] = 0;
}

dtrace:::END
{
	OPT_dest ? printa("%-15s %@d\n", @states) : printa("%-15s %@5d\n", @states);
}
