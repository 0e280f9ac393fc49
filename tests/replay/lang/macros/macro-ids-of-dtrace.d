/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%d %d %d %d %d %d\n", $gid == $egid, $sid >= 0, $pgid > 0, $projid, $taskid, $uid >= 0); }
