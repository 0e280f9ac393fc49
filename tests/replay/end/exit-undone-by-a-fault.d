/* args: -r tests/pcap/seconds.pcap -q */
/* A fault takes back all that its clause recorded, exit() too. */
ip:::receive /!n++/ { exit(1); trace(*(int *)0); }
ip:::receive { @ = count(); }
