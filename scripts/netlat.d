#!/usr/bin/env -S dtrace -s
/*
 * netlat.d - where the time of packets goes: device, socket, process, queueing discipline.
 *
 * usage: dtrace netlat [conn]
 *
 * At the end, the script prints a line for each stage and process, in microseconds, and a histogram
 * for each stage. With the argument conn, it prints a line for each stage and connection instead of
 * process; a long remote address (IPv6) begins a new line. -x pid=, port=, addr= ... select packets.
 *
 *	device -> socket    from the device until TCP or the UDP socket has the packet
 *	socket -> process   until the process reads the data
 *	sender -> queue     from TCP's departure time to the device's queue
 *	sender -> driver    from TCP's departure time until the driver gets the packet
 *
 * Between two processes of one machine, "device" is the point where IP delivers a segment. UDP has
 * no departure time. On kernels without function tracing, the second stage of UDP begins at the
 * socket, and a socket that is not connected has no remote address there (0.0.0.0 or ::).
 *
 * With -x slower=10ms, the script counts only packets that took that long.
 *
 * Live only.
 *
 *	STAGE             COMMAND            COUNT   MEAN(us)    MAX(us)
 *	device -> socket  nginx                120          6         41
 *	socket -> process nginx                118         52       2310
 *	sender -> queue   nginx                131          3         17
 *	sender -> driver  nginx                131          4         22
 *
 *	STAGE               COUNT   MEAN(us)    MAX(us) LPORT RPORT REMOTE
 *	device -> socket       40          5         17    80 40000 192.0.2.1
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int CONN = $$1 == "conn";
inline int WRONG = $$1 != "" && !CONN;

/* The connection at probes of net: they have the packet's addresses, and the socket's ports. */
inline struct sock_common *SOCK = (struct sock_common *)args[1]->cs_addr;
this string raddr;

/* The text before the remote address: a blank, or a new line if it is long. */
inline string NEXT = strlen(this->raddr) > 20 ? "\n                  " : " ";

BEGIN
/WRONG/
{
	printf("usage: dtrace netlat [conn]\n");
	exit(1);
}

tcp:::receive, udp:::receive
/args[0]->pkt_age_from == PKT_AGE_DEVICE/
{
	this->stage = "device -> socket";
	this->age = args[0]->pkt_age;
}

tcp:::read, udp:::read
{
	this->stage = "socket -> process";
	this->age = args[5]->read_queued;
}

net:::queue
/args[0]->pkt_age_from == PKT_AGE_SENDER && args[1]->cs_addr != 0/
{
	this->stage = "sender -> queue";
	this->age = args[0]->pkt_age;
}

net:::start-xmit
/args[0]->pkt_age_from == PKT_AGE_SENDER && args[1]->cs_addr != 0/
{
	this->stage = "sender -> driver";
	this->age = args[0]->pkt_age;
}

tcp:::receive, tcp:::read
/CONN/
{
	this->lport = args[3]->tcps_lport;
	this->rport = args[3]->tcps_rport;
	this->raddr = args[3]->tcps_raddr;
}

udp:::receive, udp:::read
/CONN/
{
	this->lport = args[3]->udps_lport;
	this->rport = args[3]->udps_rport;
	this->raddr = args[3]->udps_raddr;
}

net:::queue, net:::start-xmit
/CONN && this->age != 0/
{
	this->lport = SOCK->skc_num;
	this->rport = ntohs(SOCK->skc_dport);
	this->raddr = args[2]->ip_daddr;
}

/* An age of 0 is unknown. */
tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower && !CONN/
{
	@count[this->stage, args[1]->cs_execname] = count();
	@mean[this->stage, args[1]->cs_execname] = avg(this->age / 1000);
	@most[this->stage, args[1]->cs_execname] = max(this->age / 1000);
}

tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower && CONN/
{
	@packets[this->stage, this->lport, this->rport, NEXT, this->raddr] = count();
	@average[this->stage, this->lport, this->rport, NEXT, this->raddr] = avg(this->age / 1000);
	@longest[this->stage, this->lport, this->rport, NEXT, this->raddr] = max(this->age / 1000);
}

tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower/
{
	@all[this->stage] = quantize(this->age / 1000);
}

END
/!WRONG && !CONN/
{
	printf("%-17s %-15s %8s %10s %10s\n", "STAGE", "COMMAND", "COUNT", "MEAN(us)", "MAX(us)");
	printa("%-17s %-15S %@8d %@10d %@10d\n", @count, @mean, @most);
}

END
/!WRONG && CONN/
{
	printf("%-17s %7s %10s %10s %5s %5s %s\n", "STAGE", "COUNT", "MEAN(us)", "MAX(us)", "LPORT", "RPORT", "REMOTE");
	printa("%-17s %@7d %@10d %@10d %5d %5d%s%s\n", @packets, @average, @longest);
}

END
/!WRONG/
{
	printf("\n%s\n\n", "Microseconds, by stage:");
	printa("%s%@d\n", @all);
}
