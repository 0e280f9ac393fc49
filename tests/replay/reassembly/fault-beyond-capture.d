/* args: -r tests/pcap/reassembly.pcap -q */
/* The last 42 of 128 bytes were not captured. */
replay:::receive / args[0]->data_len / { printf("%d\n", args[0]->data[85]); }
replay:::receive / args[0]->data_len / { printf("%d\n", args[0]->data[86]); }
dtrace:::ERROR { printf("%d\n", arg4); }
