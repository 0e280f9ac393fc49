/* args: -r tests/pcap/reassembly.pcap -q */
/* Of 128 bytes the last 42 were not captured. */
replay:::receive / args[0]->data_len / { printf("%d\n", args[0]->data[85]); }
replay:::receive / args[0]->data_len / { printf("%d\n", args[0]->data[86]); }
dtrace:::ERROR { printf("%d\n", arg4); }
