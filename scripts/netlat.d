#!/usr/bin/env -S dtrace -s
/*
 * netlat.d - where the time of packets goes: device, socket, process, queueing discipline.
 *
 * usage: dtrace netlat [conn]
 *
 * At the end, the script prints a line for each stage and process, in microseconds, and a histogram
 * for each stage. With the argument conn, it prints a line for each stage and connection; a long
 * remote address (IPv6) begins a new line. -x pid=, port=, addr= ... select packets.
 *
 *	process -> sender   from the end of write(2) until TCP sends the last byte
 *	sender -> queue     from TCP's departure time to the device's queue
 *	sender -> driver    from TCP's departure time until the driver gets the packet
 *	queue -> driver     in the queueing discipline of the device
 *	device -> socket    from the device until TCP or the UDP socket has the packet
 *	socket -> process   until the process reads the data
 *
 * A write counts in the first stage if TCP cannot send all its data at once (window, congestion,
 * pacing). The script times one such write of a connection at a time. UDP has no departure time, so
 * no stage of UDP begins at the sender. If devices are stacked (VLAN, bond, bridge), a packet
 * counts at each device.
 *
 * Between two processes of one machine, "device" is the point where IP delivers a segment. On
 * kernels without function tracing, the last stage of UDP begins at the socket, and the script
 * shows 0.0.0.0 or :: as the remote address of a socket that is not connected.
 *
 * With -x slower=10ms, the script counts only packets that took 10 ms or longer.
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

/* The socket, for the probes of net: their arguments have the packet's addresses, but no ports. */
inline struct sock_common *SOCK = (struct sock_common *)args[1]->cs_addr;
this string raddr;

inline struct tcp_sock *TCP = (struct tcp_sock *)args[1]->cs_addr;
inline uint32_t END_OF_DATA = args[4]->tcp_seq + args[4]->tcp_plength;

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(this->raddr) > 20 ? "\n                  " : " ";

/* For each socket: */
uint64_t written[uintptr_t];	/* when a process wrote data that TCP has not sent yet */
uint32_t until[uintptr_t];	/* the sequence number after the last byte of this data */

/*
 * Facts about packets in a queueing discipline, by packet. They are stored because some disciplines
 * (netem) remove the socket from the packet.
 */
uint64_t queued[uintptr_t];	/* when the packet was queued */
string owner[uintptr_t];
uint32_t ports[uintptr_t];	/* both ports, with the local port in the upper half */

BEGIN
/WRONG/
{
	printf("usage: dtrace netlat [conn]\n");
	exit(1);
}

tcp:::write
/args[5]->write_bytes > 0 && !written[args[1]->cs_addr] && (int)(TCP->write_seq - TCP->snd_nxt) > 0/
{
	written[args[1]->cs_addr] = timestamp;
	until[args[1]->cs_addr] = TCP->write_seq;
}

tcp:::send
/written[args[1]->cs_addr] && (int)(END_OF_DATA - until[args[1]->cs_addr]) >= 0/
{
	this->stage = "process -> sender";
	this->age = timestamp - written[args[1]->cs_addr];
	written[args[1]->cs_addr] = 0;
	until[args[1]->cs_addr] = 0;
}

tcp:::destroy
/written[args[1]->cs_addr]/
{
	written[args[1]->cs_addr] = 0;
	until[args[1]->cs_addr] = 0;
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
/args[1]->cs_addr != 0 && args[4]->net_qdisc != "noqueue"/
{
	queued[args[0]->pkt_addr] = timestamp;
	owner[args[0]->pkt_addr] = args[1]->cs_execname;
	ports[args[0]->pkt_addr] = (uint32_t)SOCK->skc_num << 16 | ntohs(SOCK->skc_dport);
}

net:::queue
/args[0]->pkt_age_from == PKT_AGE_SENDER && args[1]->cs_addr != 0/
{
	this->stage = "sender -> queue";
	this->age = args[0]->pkt_age;
}

net:::start-xmit
{
	this->queued = queued[args[0]->pkt_addr];
}

net:::start-xmit
/args[0]->pkt_age_from == PKT_AGE_SENDER && (this->queued || args[1]->cs_addr != 0)/
{
	this->stage = "sender -> driver";
	this->age = args[0]->pkt_age;
}

tcp:::send, tcp:::receive, tcp:::read, udp:::receive, udp:::read, net:::queue
/!CONN && this->age != 0/
{
	this->who = args[1]->cs_execname;
}

net:::start-xmit
/!CONN && (this->queued || this->age != 0)/
{
	this->who = this->queued ? owner[args[0]->pkt_addr] : args[1]->cs_execname;
}

tcp:::send, tcp:::receive, tcp:::read
/CONN && this->age != 0/
{
	this->lport = args[3]->tcps_lport;
	this->rport = args[3]->tcps_rport;
	this->raddr = args[3]->tcps_raddr;
}

udp:::receive, udp:::read
/CONN && this->age != 0/
{
	this->lport = args[3]->udps_lport;
	this->rport = args[3]->udps_rport;
	this->raddr = args[3]->udps_raddr;
}

net:::queue
/CONN && this->age != 0/
{
	this->lport = SOCK->skc_num;
	this->rport = ntohs(SOCK->skc_dport);
	this->raddr = args[2]->ip_daddr;
}

net:::start-xmit
/CONN && (this->queued || this->age != 0)/
{
	this->lport = this->queued ? ports[args[0]->pkt_addr] >> 16 : SOCK->skc_num;
	this->rport = this->queued ? ports[args[0]->pkt_addr] & 0xffff : ntohs(SOCK->skc_dport);
	this->raddr = args[2]->ip_daddr;
}

/* An age of 0 means that the age is unknown. */
tcp:::send, tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower && !CONN/
{
	@count[this->stage, this->who] = count();
	@mean[this->stage, this->who] = avg(this->age / 1000);
	@most[this->stage, this->who] = max(this->age / 1000);
}

tcp:::send, tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower && CONN/
{
	@packets[this->stage, this->lport, this->rport, NEXT, this->raddr] = count();
	@average[this->stage, this->lport, this->rport, NEXT, this->raddr] = avg(this->age / 1000);
	@longest[this->stage, this->lport, this->rport, NEXT, this->raddr] = max(this->age / 1000);
}

tcp:::send, tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower/
{
	@all[this->stage] = quantize(this->age / 1000);
}

/* The stage "queue -> driver": the packet was queued, and now the driver gets it. */
net:::start-xmit
/this->queued/
{
	this->age = timestamp - this->queued;
	queued[args[0]->pkt_addr] = 0;
	owner[args[0]->pkt_addr] = 0;
	ports[args[0]->pkt_addr] = 0;
}

net:::start-xmit
/this->queued && this->age >= slower && !CONN/
{
	@count["queue -> driver", this->who] = count();
	@mean["queue -> driver", this->who] = avg(this->age / 1000);
	@most["queue -> driver", this->who] = max(this->age / 1000);
}

net:::start-xmit
/this->queued && this->age >= slower && CONN/
{
	@packets["queue -> driver", this->lport, this->rport, NEXT, this->raddr] = count();
	@average["queue -> driver", this->lport, this->rport, NEXT, this->raddr] = avg(this->age / 1000);
	@longest["queue -> driver", this->lport, this->rport, NEXT, this->raddr] = max(this->age / 1000);
}

net:::start-xmit
/this->queued && this->age >= slower/
{
	@all["queue -> driver"] = quantize(this->age / 1000);
}

/* The packet was dropped, or was cut into segments, so the driver does not get it. */
net:::free
/queued[args[0]->pkt_addr]/
{
	queued[args[0]->pkt_addr] = 0;
	owner[args[0]->pkt_addr] = 0;
	ports[args[0]->pkt_addr] = 0;
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
