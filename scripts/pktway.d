#!/usr/bin/env -S dtrace -s
/*
 * pktway.d - each step of packets through the network stack, with the time since the last step.
 *
 * usage: dtrace pktway [EVERY]
 *
 * The script follows every packet, or with EVERY, one packet in EVERY. -x port=, addr=, filter= ...
 * select packets.
 *
 * The first line of a packet has its addresses. PACKET is the CPU where the packet was first seen,
 * and a number. TIME is in microseconds, since the packet's last step. NETNS is the network
 * namespace of the device, or of the socket, as in lsns. BYTES is the number of bytes after the
 * header of TCP or UDP. STEP is the probe that saw the packet:
 *
 *	send        IP sends the packet, of this machine or forwarded
 *	queue       the packet goes to the queueing discipline of a device
 *	dequeue     the queueing discipline releases it
 *	start-xmit  the driver gets it
 *	backlog     it waits for a CPU (loopback, veth, tunnels)
 *	gro         the driver gives it to GRO
 *	merged      GRO has merged it with another packet
 *	rx          a device gives it to the stack
 *	receive     the socket gets it
 *	read        a process reads its data, in one piece or in several
 *	drop        the kernel drops it; the line has the reason
 *	free        the packet has been cut, sent by the device, or used by the kernel
 *
 * If a packet is cut (segmentation, IP fragments), each piece is a packet of its own. The first
 * line of a piece says "of PACKET", and its TIME counts from the last step of PACKET. TCP merges
 * segments in the queue of the socket, and no event reports that. So the lines "read" of the first
 * segment have the bytes of all merged segments, and the lines of the other segments end with
 * "receive". IP joins all fragments into the last one.
 *
 * A copy of a packet (made by a bridge that floods, or for a packet socket) is a new packet. Lines
 * are in order of time; sort -sk1,1 puts the lines of a packet together.
 *
 * A filter by owner (-x pid=, execname=) leaves out the steps where the socket is not known:
 * backlog, gro, rx. With -x netns=, the script does not see how packets end in another namespace:
 * their last line is start-xmit.
 *
 * Before Linux 6.3, the script needs function tracing.
 *
 * Live only.
 *
 *	PACKET     TIME(us) STEP       DEVICE     NETNS      MARK  BYTES DETAIL
 *	0.1               - 10.0.0.1 > 10.0.0.2 UDP
 *	0.1             0.0 send       eth0       4026531840    0     12 sender
 *	0.1             3.1 queue      eth0       4026531840    0     12 tbf
 *	0.1          9003.9 dequeue    eth0       4026531840    0     12 tbf
 *	0.1             1.4 start-xmit eth0       4026531840    0     12
 *	0.1            29.5 free       -          0             0      0 device
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live
#pragma D option dynvarsize=16m

inline int EVERY = $$1 == "" ? 1 : strtoll($$1);
inline int WRONG = EVERY < 1 || ($$1 != "" && lltostr(EVERY) != $$1) || $$2 != "";

/*
 * A value of known[] is 0 for an unknown packet, and IGNORED for a known packet that the script does
 * not follow. Every other value is the packet's number and its CPU.
 */
inline uint64_t IGNORED = 1;
/* The values of stage[] say where a packet is. */
inline int OUT = 1;	/* on its way to a driver */
inline int IN = 2;	/* at a driver, or on its way from a device to the socket */
inline int SOCKET = 3;	/* at the socket, where the kernel may free the packet without an event */

uint64_t known[uintptr_t], last[uintptr_t];	/* for each packet address */
int stage[uintptr_t];
uint64_t left_as[uintptr_t];	/* HEADERS when a driver got the packet; 0 once it is seen again */
int pieces[uintptr_t];		/* segments that the packet may be cut into */
int taken[uintptr_t];		/* bytes that processes have read */
uint64_t count_of[int];		/* for each CPU, the number of packets that were seen first there */
uint64_t number[int];		/* for each CPU, the number of packets that are followed */

/*
 * The packets that may be cut into segments. The segments of a packet come in order, so the place
 * where a segment begins tells, through parent[], which packet it was cut from. If parent[] has none
 * for that place, but the place is between from[] and to[], the segment was cut from newest[]. These
 * three are stored one after another, so for a moment they may belong to two packets of the flow.
 */

/* For each flow and place: */
uint64_t parent[uint32_t, uint32_t];	/* the packet whose next segment begins there */
uint32_t until[uint32_t, uint32_t];	/* the place where that packet ends */
uint64_t left_at[uint32_t, uint32_t];	/* the time of that packet's last step */
/*
 * For each flow. There are SLOTS slots for all flows, because flows do not end; whose[] is the flow
 * that uses the slot.
 */
inline uint32_t SLOTS = 4093;
uint32_t whose[uint32_t];
uint64_t newest[uint32_t];		/* the packet that was queued last */
uint32_t from[uint32_t], to[uint32_t];	/* the places where newest[] begins and ends */
uint64_t newest_at[uint32_t];		/* the time of the last step of newest[] */
/* For each CPU: */
uint64_t sent[int];			/* the packet that IP sent last, and its IDENT */
uint32_t sent_ident[int];
uint64_t held[int, uint32_t];		/* the packet that GRO holds, for each slot */
uint32_t held_flow[int, uint32_t];	/* the flow of held[] */
uint32_t gro_flow[int];			/* the flow of the packet that GRO handles */

inline struct sk_buff *SKB = (struct sk_buff *)args[0]->pkt_addr;
inline struct iphdr *SENT_IP = (struct iphdr *)(SKB->head + SKB->network_header);
inline struct iphdr *GOT_IP = (struct iphdr *)SKB->data;
inline int PROTOCOL[struct iphdr *h] = h->version == 4 ? h->protocol : ((struct ipv6hdr *)h)->nexthdr;
inline uintptr_t BEHIND[struct iphdr *h] = (uintptr_t)h + (h->version == 4 ? h->ihl * 4 : 40);
inline uint32_t FLOW[struct iphdr *h] = *(uint32_t *)BEHIND[h];		/* both ports */
inline uint32_t IDENT[struct iphdr *h] = h->version == 4 ? ntohs(h->id) : 0;
inline int IS_TCP[struct iphdr *h] = PROTOCOL[h] == IPPROTO_TCP;
/* The place in the flow: for TCP the sequence number of the first byte, else the ID in the IP header. */
inline uint32_t PLACE[struct iphdr *h] = IS_TCP[h] ? ntohl(((struct tcphdr *)BEHIND[h])->seq) : IDENT[h];
/*
 * HEADERS is computed from the headers. It has the same value when a driver gets a packet and when the
 * other end of the device receives this packet.
 */
inline uint32_t SOURCE[struct iphdr *h] = h->version == 4 ? h->saddr : ((struct ipv6hdr *)h)->saddr.in6_u.u6_addr32[3];
inline uint64_t HEADERS[struct iphdr *h] = ((uint64_t)SOURCE[h] << 32 | FLOW[h]) ^ (uint64_t)PLACE[h] << 16;
inline int BEGINS_WITH_IP = args[2]->ip_ver != 0 && (SKB->protocol == htons(0x0800) || SKB->protocol == htons(0x86dd));
inline int IS_PIECE = SENT_IP->version == 4 && (SENT_IP->frag_off & htons(0x3fff)) != 0;
inline uint32_t HEADER[struct iphdr *h] = IS_TCP[h] ? ((struct tcphdr *)BEHIND[h])->doff * 4 :
    PROTOCOL[h] == IPPROTO_UDP ? 8 : 0;

this uint64_t id, since;

/* The names of the values in CSV and JSON. */
inline int cpu_of = (int)(this->id & 1023);
inline int packet_of = (int)(this->id >> 10);
inline uint64_t us = this->since / 1000;
inline uint64_t tenths = this->since % 1000 / 100;

BEGIN
/WRONG/
{
	printf("usage: dtrace pktway [EVERY]\n");
	exit(1);
}

BEGIN
{
	printf("%-10s %8s %-10s %-10s %-10s %4s %6s %s\n", "PACKET", "TIME(us)", "STEP", "DEVICE", "NETNS", "MARK",
	    "BYTES", "DETAIL");
}

/*
 * The kernel reuses the addresses of packets. An address that was last seen at a socket belongs to a
 * new packet now. An address that was last seen at a driver belongs to a new packet if a socket sends
 * the packet, or if the packet comes in with other headers. The headers differ if a filter rejected the
 * end of the old packet, as -x netns= does when that packet ends in another namespace.
 */
ip:::send, net:::queue, net:::dequeue, net:::start-xmit, net:::backlog, net:::gro, net:::rx, net:::drop
{
	this->now = timestamp;
	this->at = args[0]->pkt_addr;
	this->id = (stage[this->at] == SOCKET && probename != "drop") ||
	    (stage[this->at] == IN && probename == "send" && args[1]->cs_addr != 0) ? 0 : known[this->at];
	this->parent = (uint64_t)0;
	this->left_at = (uint64_t)0;
	this->fresh = 0;
	this->detail = "";
	this->dev = args[3]->if_name == "<null>" ? "-" : args[3]->if_name;
	this->netns = args[3]->if_ipstack;
}

net:::backlog, net:::gro, net:::rx
/left_as[this->at] != 0/
{
	this->id = BEGINS_WITH_IP && left_as[this->at] != HEADERS[GOT_IP] ? 0 : this->id;
	left_as[this->at] = 0;
}

net:::start-xmit
/args[2]->ip_ver != 0/
{
	left_as[this->at] = HEADERS[SENT_IP];
}

tcp:::receive, udp:::receive, tcp:::read, udp:::read
{
	this->now = timestamp;
	this->at = args[0]->pkt_addr;
	this->id = known[this->at];
	this->detail = args[1]->cs_execname;
	this->dev = "-";
	this->netns = args[1]->cs_netns;
}

/* The packet is a piece: finds the packet that the piece was cut from. */
net:::queue
/!this->id && IS_PIECE && sent_ident[cpu] == IDENT[SENT_IP]/
{
	this->parent = sent[cpu];
}

net:::queue, net:::dequeue, net:::start-xmit, net:::drop
/!this->id && !this->parent && args[2]->ip_ver != 0/
{
	this->flow = FLOW[SENT_IP];
	this->place = PLACE[SENT_IP];
	this->parent = parent[this->flow, this->place];
	this->until = until[this->flow, this->place];
	this->left_at = left_at[this->flow, this->place];
	this->slot = this->flow % SLOTS;
	if (!this->parent && whose[this->slot] == this->flow &&
	    this->place - from[this->slot] < to[this->slot] - from[this->slot]) {
		this->parent = newest[this->slot];
		this->until = to[this->slot];
		this->left_at = newest_at[this->slot];
	}
	if (this->parent) {
		parent[this->flow, this->place] = 0;
		until[this->flow, this->place] = 0;
		left_at[this->flow, this->place] = 0;
		this->next = this->place + (IS_TCP[SENT_IP] ? args[4]->net_data : 1);
		if ((int)(this->until - this->next) > 0) {
			parent[this->flow, this->next] = this->parent;
			until[this->flow, this->next] = this->until;
			left_at[this->flow, this->next] = this->left_at;
		}
	}
}

net:::queue, net:::dequeue, net:::start-xmit, net:::drop
/this->parent/
{
	this->id = this->parent == IGNORED ? IGNORED : 0;
	this->fresh = this->parent != IGNORED;
}

/* A piece of an unknown packet is followed only if the script follows every packet. */
net:::dequeue, net:::start-xmit
/!this->id && !this->parent && EVERY == 1/
{
	this->fresh = 1;
}

/* The packet is seen for the first time. */
ip:::send, net:::queue, net:::backlog, net:::gro, net:::rx, net:::drop
/!this->id && !this->fresh/
{
	this->fresh = count_of[cpu]++ % EVERY == 0;
	this->id = this->fresh ? 0 : IGNORED;
}

ip:::send, net:::queue, net:::dequeue, net:::start-xmit, net:::backlog, net:::gro, net:::rx, net:::drop
/this->fresh/
{
	this->id = ++number[cpu] << 10 | cpu;
	last[this->at] = this->parent && this->left_at ? this->left_at : this->now;
	printf("%d.%-8d %8s %s > %s%s\n", cpu_of, packet_of, "-", args[2]->ip_saddr,
	    args[2]->ip_daddr, this->parent ? strjoin(" of ", strjoin(lltostr(this->parent & 1023),
	    strjoin(".", lltostr(this->parent >> 10)))) : "");
}

ip:::send, net:::queue, net:::dequeue, net:::start-xmit, net:::backlog, net:::gro, net:::rx
{
	known[this->at] = this->id;
	this->out = probename == "send" || probename == "queue" || probename == "dequeue";
	stage[this->at] = this->id == IGNORED ? 0 : this->out ? OUT : IN;
}

ip:::send
{
	sent[cpu] = this->id;
	sent_ident[cpu] = IDENT[SENT_IP];
	this->bytes = (int)(args[2]->ip_plength - HEADER[SENT_IP]);
	this->mark = SKB->mark;
	this->detail = args[1]->cs_execname == "<unknown>" ? "" : args[1]->cs_execname;
}

net:::queue, net:::dequeue, net:::start-xmit, net:::backlog, net:::gro, net:::rx, net:::drop
{
	this->bytes = (int)args[4]->net_data;
	this->mark = args[4]->net_mark;
}

net:::queue, net:::dequeue
{
	this->detail = args[4]->net_qdisc;
}

tcp:::receive, udp:::receive
/this->at != 0 && SKB->dev != NULL/
{
	this->dev = stringof(SKB->dev->name);
}

tcp:::receive
{
	this->bytes = args[4]->tcp_plength;
	this->mark = this->at ? SKB->mark : 0;
}

udp:::receive
{
	this->bytes = (int)args[2]->ip_plength - 8;
	this->mark = this->at ? SKB->mark : 0;
}

tcp:::read, udp:::read
{
	this->bytes = args[5]->read_bytes;
	this->mark = 0;
}

/* Records each packet that may be cut, before the packet is cut. */
net:::queue
/args[4]->net_segments > 1 && args[2]->ip_ver != 0/
{
	this->flow = FLOW[SENT_IP];
	this->place = PLACE[SENT_IP];
	this->slot = this->flow % SLOTS;
	whose[this->slot] = this->flow;
	newest[this->slot] = this->id;
	from[this->slot] = this->place;
	this->end = this->place + (IS_TCP[SENT_IP] ? args[4]->net_data : args[4]->net_segments);
	to[this->slot] = this->end;
	parent[this->flow, this->place] = this->id;
	until[this->flow, this->place] = this->end;
	newest_at[this->slot] = this->now;
	left_at[this->flow, this->place] = this->now;
	pieces[this->at] = args[4]->net_segments;
}

net:::dequeue
/pieces[this->at]/
{
	this->flow = FLOW[SENT_IP];
	left_at[this->flow, PLACE[SENT_IP]] = this->now;
	this->slot = this->flow % SLOTS;
	newest_at[this->slot] = newest[this->slot] == this->id ? this->now : newest_at[this->slot];
}

/* The packet reaches the driver, or is dropped, so it was not cut. */
net:::start-xmit, net:::drop
/pieces[this->at] && args[2]->ip_ver != 0/
{
	this->flow = FLOW[SENT_IP];
	this->place = PLACE[SENT_IP];
	parent[this->flow, this->place] = 0;
	until[this->flow, this->place] = 0;
	left_at[this->flow, this->place] = 0;
	pieces[this->at] = 0;
}

/* UDP may cut the packet at the socket. */
net:::rx
/args[4]->net_segments > 1/
{
	pieces[this->at] = args[4]->net_segments;
}

net:::gro
/args[2]->ip_ver != 0/
{
	gro_flow[cpu] = FLOW[GOT_IP];
}

ip:::send, net:::queue, net:::dequeue, net:::start-xmit, net:::backlog, net:::gro, net:::rx,
tcp:::receive, udp:::receive, tcp:::read, udp:::read
/this->id > IGNORED/
{
	this->since = this->now - last[this->at];
	last[this->at] = this->now;
	printf("%d.%-8d %6d.%d %-10s %-10s %-10d %4x %6d %S\n", cpu_of, packet_of,
	    us, tenths, probename, this->dev, this->netns, this->mark, this->bytes,
	    this->detail);
}

net:::drop
/this->id > IGNORED/
{
	this->since = timestamp - last[this->at];
	printf("%d.%-8d %6d.%d %-10s %-10s %-10d %4x %6d %s\n", cpu_of, packet_of,
	    us, tenths, probename, this->dev, this->netns, this->mark, this->bytes,
	    args[5]->drop_reason);
}

/* A segment without data has no reader. */
tcp:::receive, udp:::receive
{
	this->kept = this->id > IGNORED && (this->bytes > 0 || probeprov == "udp");
	stage[this->at] = this->kept ? SOCKET : 0;
	known[this->at] = this->kept ? this->id : 0;
	taken[this->at] = 0;
}

tcp:::read
/this->id > IGNORED/
{
	this->taken = taken[this->at] + this->bytes;
	this->all = this->taken >= SKB->len;
	taken[this->at] = this->all ? 0 : this->taken;
	known[this->at] = this->all ? 0 : this->id;
	stage[this->at] = this->all ? 0 : SOCKET;
}

udp:::read
/this->id > IGNORED/
{
	known[this->at] = 0;
	stage[this->at] = 0;
}

net:::gro-done
{
	this->at = args[0]->pkt_addr;
	this->id = known[this->at];
	this->merged = args[1]->gro_result == "MERGED" || args[1]->gro_result == "MERGED_FREE";
}

net:::gro-done
/args[1]->gro_result == "HELD"/
{
	held[cpu, gro_flow[cpu] % SLOTS] = this->id;
	held_flow[cpu, gro_flow[cpu] % SLOTS] = gro_flow[cpu];
}

net:::gro-done
/this->merged && this->id > IGNORED/
{
	this->into = held_flow[cpu, gro_flow[cpu] % SLOTS] == gro_flow[cpu] ? held[cpu, gro_flow[cpu] % SLOTS] : 0;
	this->since = timestamp - last[this->at];
	printf("%d.%-8d %6d.%d %-10s %-10s %-10d %4x %6d %s\n", cpu_of, packet_of,
	    us, tenths, "merged", "-", 0, 0, 0, this->into > IGNORED ?
	    strjoin("with ", strjoin(lltostr(this->into & 1023), strjoin(".", lltostr(this->into >> 10)))) : "");
}

net:::free
{
	this->at = args[0]->pkt_addr;
	this->id = known[this->at];
	this->merged = 0;
}

net:::free
/this->id > IGNORED && stage[this->at] != SOCKET/
{
	this->since = timestamp - last[this->at];
	printf("%d.%-8d %6d.%d %-10s %-10s %-10d %4x %6d %S\n", cpu_of, packet_of,
	    us, tenths, probename, "-", 0, 0, 0,
	    pieces[this->at] ? "cut" : "");
}

net:::drop, net:::free, net:::gro-done
/probename == "drop" || this->merged || (probename == "free" && stage[this->at] != SOCKET)/
{
	known[this->at] = 0;
	last[this->at] = 0;
	stage[this->at] = 0;
	pieces[this->at] = 0;
	left_as[this->at] = 0;
}
