/* args: -r tests/pcap/seconds.pcap -q */
BEGIN { printf("%Y|%T|\n", walltimestamp, walltimestamp); printf("%Y\n", (int64_t)1730419200000000000);
	printf("%#Y|%#32Y|%-#32Y|\n", (int64_t)1730419200007999999, (int64_t)0, (int64_t)-1); }
