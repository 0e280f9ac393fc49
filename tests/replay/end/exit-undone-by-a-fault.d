/* args: -r tests/pcap/seconds.pcap -q */
/* A fault discards all records of its clause, exit() included. */
ip:::receive /!n++/ { exit(1); trace(*(int *)0); }
ip:::receive { @ = count(); }
