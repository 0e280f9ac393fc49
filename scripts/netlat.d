#!/usr/bin/env -S dtrace -s
/*
 * netlat.d - where the time of packets goes: device, socket, process, queueing discipline.
 *
 * usage: dtrace netlat
 *
 * At the end, the script prints a line for each stage and process, in microseconds, and a histogram
 * for each stage. -x pid=, port=, addr= ... select packets.
 *
 *	device -> socket    from the device until TCP or the UDP socket has the packet
 *	socket -> process   until the process reads the data
 *	sender -> queue     from TCP's departure time to the device's queue
 *	sender -> driver    from TCP's departure time until the driver gets the packet
 *
 * On kernels without function tracing, the second stage of UDP begins at the socket; everywhere else
 * it begins at the device. Between two processes of one machine, "device" is the point where IP
 * delivers a segment. UDP has no departure time.
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
 */
#pragma D option quiet
#pragma D option live

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

/* An age of 0 is unknown. */
tcp:::receive, udp:::receive, tcp:::read, udp:::read, net:::queue, net:::start-xmit
/this->age != 0 && this->age >= slower/
{
	@count[this->stage, args[1]->cs_execname] = count();
	@mean[this->stage, args[1]->cs_execname] = avg(this->age / 1000);
	@most[this->stage, args[1]->cs_execname] = max(this->age / 1000);
	@all[this->stage] = quantize(this->age / 1000);
}

END
{
	printf("%-17s %-15s %8s %10s %10s\n", "STAGE", "COMMAND", "COUNT", "MEAN(us)", "MAX(us)");
	printa("%-17s %-15S %@8d %@10d %@10d\n", @count, @mean, @most);
	printf("\n%s\n\n", "Microseconds, by stage:");
	printa("%s%@d\n", @all);
}
