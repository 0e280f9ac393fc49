#!/usr/bin/env -S dtrace -s
/*
 * qdisclat.d - how long packets wait in queueing disciplines, and which packets are dropped there.
 *
 * usage: dtrace qdisclat [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * A wait lasts until the discipline releases the packet. If Linux skips an empty discipline, or
 * does not report the packet, the wait lasts until the driver gets the packet. If the discipline
 * cuts a packet into segments (tbf), each segment counts, and its wait begins when TCP sent it;
 * segments of UDP are left out.
 *
 * NETNS is the network namespace of the device, as in lsns. DIRECT is the number of packets for
 * which the discipline was skipped, or which it did not report.
 *
 * With -x slower=10ms, shorter waits are not counted.
 *
 * Live only.
 *
 *	eth0, tbf, wait (us), namespace 4026531840
 *	           value  ------------- Distribution ------------- count
 *	            4096 |                                         0
 *	            8192 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           96
 *	           16384 |@@@@@@@@@@                               32
 *	           32768 |                                         0
 *
 *	NETNS      DEVICE     QDISC     PACKETS DIRECT   MEAN(us)    MAX(us)
 *	4026531840 eth0       tbf           128      0      12840      31008
 *
 *	NETNS      DEVICE     QDISC    REASON       DROPS
 *	4026531840 eth0       tbf      QDISC_DROP      17
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live
#pragma D option dynvarsize=16m

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || $$3 != "";

uint64_t queued[uintptr_t];	/* for each packet address, when it was queued */
string kind[uintptr_t];		/* for each device address, the kind of the device's discipline */
int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace qdisclat [SECONDS [TIMES]]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Timing queueing disciplines until Ctrl-C.");
}

net:::queue
/args[4]->net_qdisc != "noqueue"/
{
	queued[args[0]->pkt_addr] = timestamp;
	kind[args[3]->if_addr] = args[4]->net_qdisc;
}

/* A segment that the discipline has cut has an address of its own, which is not in queued[]. */
net:::dequeue
{
	this->since = queued[args[0]->pkt_addr];
	this->wait = this->since ? timestamp - this->since :
	    args[0]->pkt_age_from == PKT_AGE_SENDER ? args[0]->pkt_age : 0;
	this->direct = 0;
	queued[args[0]->pkt_addr] = 0;
}

net:::start-xmit
{
	this->since = queued[args[0]->pkt_addr];
	this->wait = this->since ? timestamp - this->since : 0;
	this->direct = 1;
	queued[args[0]->pkt_addr] = 0;
}

net:::dequeue, net:::start-xmit
/this->wait && this->wait >= slower/
{
	@waits[args[3]->if_name, args[4]->net_qdisc, args[3]->if_ipstack] = quantize(this->wait / 1000);
	@packets[args[3]->if_ipstack, args[3]->if_name, args[4]->net_qdisc] = count();
	@direct[args[3]->if_ipstack, args[3]->if_name, args[4]->net_qdisc] = sum(this->direct);
	@mean[args[3]->if_ipstack, args[3]->if_name, args[4]->net_qdisc] = avg(this->wait / 1000);
	@most[args[3]->if_ipstack, args[3]->if_name, args[4]->net_qdisc] = max(this->wait / 1000);
	some = 1;
}

net:::drop
/queued[args[0]->pkt_addr] || args[5]->drop_reason == "QDISC_DROP" || args[5]->drop_reason == "QDISC_OVERLIMIT"/
{
	@drops[args[3]->if_ipstack, args[3]->if_name, kind[args[3]->if_addr], args[5]->drop_reason] = count();
	some = 1;
}

net:::free
/queued[args[0]->pkt_addr]/
{
	queued[args[0]->pkt_addr] = 0;
}

/* Sets this->due when it is time to print: every SECONDS seconds, and at the end. */
tick-1s, END
{
	this->due = probename == "END" ? !WRONG && (!SECONDS || some) && (!TIMES || shown < TIMES) :
	    SECONDS && ++seconds >= SECONDS;
}

tick-1s, END
/this->due && SECONDS/
{
	printf("%Y\n", walltimestamp);
}

tick-1s, END
/this->due/
{
	printa("%s, %s, wait (us), namespace %d%@d\n", @waits);
	printf("%-10s %-10s %-9s %7s %6s %10s %10s\n", "NETNS", "DEVICE", "QDISC", "PACKETS", "DIRECT", "MEAN(us)",
	    "MAX(us)");
	printa("%-10d %-10s %-9s %@7d %@6d %@10d %@10d\n", @packets, @direct, @mean, @most);
	printf("\n%-10s %-10s %-9s %-30s %8s\n", "NETNS", "DEVICE", "QDISC", "REASON", "DROPS");
	printa("%-10d %-10s %-9s %-30s %@8d\n", @drops);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@waits);
	trunc(@packets);
	trunc(@direct);
	trunc(@mean);
	trunc(@most);
	trunc(@drops);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
