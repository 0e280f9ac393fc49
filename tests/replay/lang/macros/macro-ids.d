/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%d %d %d\n", $pid > 1, $uid == $euid, $ppid > 0); } 
