#!/usr/bin/env -S dtrace -s
/*
 * health.d - problems of the network, and which script shows details, on one page.
 *
 * usage: dtrace health [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds,
 * even if nothing happened, and ends after TIMES times or with Ctrl-C.
 *
 * COUNT is the number of events, and OF the number of cases in which they could have happened. MORE
 * is the script that shows details, as in: dtrace tcpretrans. The table of times has the packets,
 * connections, questions and softirqs whose wait ended in the interval. The count of questions
 * without an answer is those of the questions asked in the interval that were not answered in it.
 * Some of these may be answered later. The last table has the five processes that moved most data.
 *
 * TCP segments are those on the network: a packet counts as all segments into which a device will
 * cut it, or from which GRO has made it. If a socket is full, OF is the number of segments or
 * datagrams that reached sockets.
 *
 * -x port=, addr=, netns= ... select packets and connections. The filters do not
 * apply to softirqs.
 *
 * Live only.
 *
 *	WHAT                               MORE            COUNT         OF
 *	TCP segments sent again            tcpretrans          3       1204
 *	TCP resets sent                    tcpreset            0       1204
 *	TCP resets received                tcpreset            1       1187
 *	connections that others refuse     tcpconnlog          0         17
 *	...
 *
 *	DROPPED, BY REASON                 MORE            COUNT
 *	NO_SOCKET                          pktway              2
 *
 *	TIME IN A STAGE            MORE            COUNT   MEAN(us)    MAX(us)
 *	socket -> process          netlat           1187         52       2310
 *	softirq NET_RX             softirqs         1391          7        788
 *
 *	MOST BYTES                 MORE             BOTH       SENT   RECEIVED
 *	nginx                      tcptop         920155     918273       1882
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live
/* If the kernel lacks some of the probes, the script runs without them, and dtrace names them. */
#pragma D option zdefs
#pragma D option aggsortrev

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || $$3 != "";

uint64_t accepted[uint64_t];	/* for each connection, when it was established */
uint64_t raised[int];		/* for each CPU, when NET_RX was raised */
int seconds, shown;
int64_t began;			/* when the interval began */

BEGIN
/WRONG/
{
	printf("usage: dtrace health [SECONDS [TIMES]]\n");
	exit(1);
}

/* Adds 0 to each count, so that an event that does not happen has a line with 0. */
BEGIN
{
	printf("%s\n", "Watching the network until Ctrl-C.");
	began = timestamp;
	@segments = sum(0);
	@sent = sum(0);
	@got = sum(0);
	@again = sum(0);
	@resets = sum(0);
	@gotresets = sum(0);
	@requests = sum(0);
	@refused = sum(0);
	@opened = sum(0);
	@refusing = sum(0);
	@full = sum(0);
	@questions = sum(0);
	@answers = sum(0);
	@unanswered = sum(0);
	@failed = sum(0);
	@tcpdrops = sum(0);
	@tcpfull = sum(0);
	@udp = sum(0);
	@udpgot = sum(0);
	@udpdrops = sum(0);
	@udpfull = sum(0);
	@queued = sum(0);
	@qdrops = sum(0);
	@rx = sum(0);
	@cpudrops = sum(0);
	@neigh = sum(0);
}

tcp:::send
{
	@sent = sum(args[4]->tcp_segments);
	@segments = sum(args[4]->tcp_segments);
}

tcp:::receive
{
	@got = sum(args[4]->tcp_segments);
	@segments = sum(args[4]->tcp_segments);
}

tcp:::retransmit
{
	@again = sum(args[4]->tcp_segments);
}

tcp:::reset-sent
{
	@resets = sum(1);
}

tcp:::reset-received
{
	@gotresets = sum(1);
}

tcp:::connect-request
{
	@requests = sum(1);
}

/* A reset, or an ICMP error from a firewall, ends the attempt. */
tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && args[3]->tcps_state == TCP_STATE_CLOSED &&
 ((struct sock *)args[3]->tcps_addr)->sk_err == ECONNREFUSED/
{
	@refused = sum(1);
}

tcp:::accept-refused
{
	@refusing = sum(1);
	@opened = sum(1);
}

tcp:::accept-established
{
	@opened = sum(1);
	accepted[args[1]->cs_cid] = timestamp;
}

tcp:::listen-overflow
{
	@full = sum(1);
}

tcp:::accept
/accepted[args[1]->cs_cid]/
{
	this->stage = "accept queue";
	this->script = "acceptlat";
	this->age = timestamp - accepted[args[1]->cs_cid];
}

tcp:::accept, tcp:::destroy
/accepted[args[1]->cs_cid]/
{
	accepted[args[1]->cs_cid] = 0;
}

dns:::query
{
	@questions = sum(1);
	@unanswered = sum(1);
}

dns:::response
{
	@answers = sum(1);
	@unanswered = sum(args[4]->dns_latency >= 0 && args[4]->dns_latency <= timestamp - began ? -1 : 0);
	@failed = sum(args[4]->dns_rcode != 0 && args[4]->dns_rcode != 3);
	this->stage = "DNS server";
	this->script = "dnslat";
	this->age = args[4]->dns_latency;
}

tcp:::drop
{
	@tcpdrops = sum(args[4]->tcp_segments);
	@tcpfull = sum(args[5]->drop_reason == "SOCKET_RCVBUFF" || args[5]->drop_reason == "SOCKET_BACKLOG" ?
	    args[4]->tcp_segments : 0);
}

udp:::send, udp:::receive
{
	@udp = sum(1);
}

udp:::receive
{
	@udpgot = sum(1);
}

udp:::drop
{
	@udpdrops = sum(1);
	@udp = sum(args[5]->drop_reason == "NO_SOCKET"); /* does not fire udp:::receive */
	@udpfull = sum(args[5]->drop_reason == "SOCKET_RCVBUFF" || args[5]->drop_reason == "PROTO_MEM");
}

net:::queue
{
	@queued = sum(1);
}

net:::rx
{
	@rx = sum(1);
}

net:::drop
{
	@drops[args[5]->drop_reason] = count();
	@qdrops = sum(args[5]->drop_reason == "QDISC_DROP" || args[5]->drop_reason == "QDISC_OVERLIMIT");
	@cpudrops = sum(args[5]->drop_reason == "CPU_BACKLOG");
}

net:::neigh-failed
{
	@neigh = sum(1);
}

tcp:::receive, udp:::receive
/args[0]->pkt_age_from == PKT_AGE_DEVICE/
{
	this->stage = "device -> socket";
	this->script = "netlat";
	this->age = args[0]->pkt_age;
}

tcp:::read, udp:::read
{
	this->stage = "socket -> process";
	this->script = "netlat";
	this->age = args[5]->read_queued;
}

net:::start-xmit
/args[0]->pkt_age_from == PKT_AGE_SENDER && args[1]->cs_addr != 0/
{
	this->stage = "sender -> driver";
	this->script = "qdisclat";
	this->age = args[0]->pkt_age;
}

/* A softirq runs on the CPU that raised it. */
rawtp:::softirq_raise
/args[0] == NET_RX_SOFTIRQ && !raised[cpu]/
{
	raised[cpu] = timestamp;
}

rawtp:::softirq_entry
/args[0] == NET_RX_SOFTIRQ && raised[cpu]/
{
	this->stage = "softirq NET_RX";
	this->script = "softirqs";
	this->age = timestamp - raised[cpu];
	raised[cpu] = 0;
}

tcp:::accept, dns:::response, tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::start-xmit,
rawtp:::softirq_entry
/this->age != 0/
{
	@stages[this->stage, this->script] = count();
	@mean[this->stage, this->script] = avg(this->age / 1000);
	@most[this->stage, this->script] = max(this->age / 1000);
}

tcp:::write
/args[5]->write_bytes > 0/
{
	@wrote[args[1]->cs_execname, "tcptop"] = sum(args[5]->write_bytes);
	@read[args[1]->cs_execname, "tcptop"] = sum(0);
	@both[args[1]->cs_execname, "tcptop"] = sum(args[5]->write_bytes);
}

tcp:::read
{
	@wrote[args[1]->cs_execname, "tcptop"] = sum(0);
	@read[args[1]->cs_execname, "tcptop"] = sum(args[5]->read_bytes);
	@both[args[1]->cs_execname, "tcptop"] = sum(args[5]->read_bytes);
}

udp:::write
/args[5]->write_bytes > 0/
{
	@wrote[args[1]->cs_execname, "udptop"] = sum(args[5]->write_bytes);
	@read[args[1]->cs_execname, "udptop"] = sum(0);
	@both[args[1]->cs_execname, "udptop"] = sum(args[5]->write_bytes);
}

udp:::read
{
	@wrote[args[1]->cs_execname, "udptop"] = sum(0);
	@read[args[1]->cs_execname, "udptop"] = sum(args[5]->read_bytes);
	@both[args[1]->cs_execname, "udptop"] = sum(args[5]->read_bytes);
}

/* Sets this->due when it is time to print: every SECONDS seconds, and at the end. */
tick-1s, END
{
	this->due = probename == "END" ? !WRONG && (!TIMES || shown < TIMES) : SECONDS && ++seconds >= SECONDS;
}

tick-1s, END
/this->due && SECONDS/
{
	printf("%Y\n", walltimestamp);
}

tick-1s, END
/this->due/
{
	printf("%-38s %-14s %10s %10s\n", "WHAT", "MORE", "COUNT", "OF");
	printa("TCP segments sent again                tcpretrans     %@10d %@10d\n", @again, @sent);
	printa("TCP resets sent                        tcpreset       %@10d %@10d\n", @resets, @sent);
	printa("TCP resets received                    tcpreset       %@10d %@10d\n", @gotresets, @got);
	printa("connections that others refuse         tcpconnlog     %@10d %@10d\n", @refused, @requests);
	printa("connections that this host refuses     tcpscan        %@10d %@10d\n", @refusing, @opened);
	printa("accept queues full                     acceptlat      %@10d %@10d\n", @full, @opened);
	printa("TCP segments dropped                   tcpdrop        %@10d %@10d\n", @tcpdrops, @segments);
	printa("TCP segments dropped, socket full      tcpdrop        %@10d %@10d\n", @tcpfull, @got);
	printa("UDP datagrams dropped                  udpdrop        %@10d %@10d\n", @udpdrops, @udp);
	printa("UDP datagrams dropped, socket full     udpdrop        %@10d %@10d\n", @udpfull, @udpgot);
	printa("packets dropped, queueing discipline   qdisclat       %@10d %@10d\n", @qdrops, @queued);
	printa("packets dropped, CPU's queue full      softirqs       %@10d %@10d\n", @cpudrops, @rx);
	printa("packets without an answer from the hop pktway         %@10d %@10d\n", @neigh, @queued);
	printa("DNS questions without an answer        dnslat         %@10d %@10d\n", @unanswered, @questions);
	printa("DNS answers that are failures          gethostlatency %@10d %@10d\n", @failed, @answers);
	printf("\n%-38s %-14s %10s\n", "DROPPED, BY REASON", "MORE", "COUNT");
	printa("%-38s pktway         %@10d\n", @drops);
	printf("\n%-30s %-14s %10s %10s %10s\n", "TIME IN A STAGE", "MORE", "COUNT", "MEAN(us)", "MAX(us)");
}

tick-1s, END
/this->due/
{
	printa("%-30s %-14s %@10d %@10d %@10d\n", @stages, @mean, @most);
	printf("\n%-30s %-14s %10s %10s %10s\n", "MOST BYTES", "MORE", "BOTH", "SENT", "RECEIVED");
	trunc(@both, 5);
	printa("%-30S %-14s %@10d %@10d %@10d\n", @both, @wrote, @read);
}

tick-1s
/this->due/
{
	seconds = 0;
	shown++;
	began = timestamp;
	clear(@again);
	clear(@sent);
	clear(@segments);
	clear(@resets);
	clear(@gotresets);
	clear(@got);
	clear(@refused);
	clear(@requests);
	clear(@refusing);
	clear(@opened);
	clear(@full);
	clear(@tcpdrops);
	clear(@tcpfull);
	clear(@udpdrops);
	clear(@udpfull);
	clear(@udp);
	clear(@udpgot);
	clear(@qdrops);
	clear(@queued);
	clear(@cpudrops);
	clear(@rx);
	clear(@neigh);
	clear(@unanswered);
	clear(@questions);
	clear(@failed);
	clear(@answers);
	trunc(@drops);
	trunc(@stages);
	trunc(@mean);
	trunc(@most);
	trunc(@both);
	trunc(@wrote);
	trunc(@read);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
