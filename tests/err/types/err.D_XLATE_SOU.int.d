/* args: -r tests/pcap/empty.pcap -q -x errtags */
translator int < struct task_struct *t > { }; BEGIN { }
