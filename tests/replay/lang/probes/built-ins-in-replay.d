/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { printf("%d %d %d %d %d '%s' %d\n", pid, tid, ppid, uid, gid, execname, cpu); }
