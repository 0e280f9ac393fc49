/* args: -r tests/pcap/connections.pcap */
/*
 * Counters of IP and TCP equal the counts of the probes that they derive from; tcpOutSegs leaves out
 * retransmissions, and the two SYN+ACKs of a simultaneous open.
 */
#pragma D option quiet
mib::: { @[probename] = sum(args[0]); }
tcp:::receive { @received = count(); }
tcp:::send /!args[3]->tcps_retransmit/ { @sent = count(); }
ip:::receive /args[2]->ip_ver == 6/ { @six = count(); }
tcp:::connect-request { @begun = count(); }
END { printa("%@d %@d %@d %@d\n", @received, @sent, @six, @begun); printa("%s %@d\n", @); }
