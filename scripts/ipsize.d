#!/usr/bin/env -S dtrace -s
/*
 * ipsize.d - how large IP packets are, sent and received, header left out.
 *
 * usage: ipsize.d [-r CAPTURE]
 */
#pragma D option quiet

BEGIN
{
	printf("Measuring packets; Ctrl-C ends.\n");
}

ip:::send, ip:::receive
{
	@size[probename] = quantize(args[2]->ip_plength);
	@mean[probename] = avg(args[2]->ip_plength);
	@largest[probename] = max(args[2]->ip_plength);
}

END
{
	printa("%s:%@d\n", @size);
	printa("%s: mean %@d, largest %@d bytes\n", @mean, @largest);
}
