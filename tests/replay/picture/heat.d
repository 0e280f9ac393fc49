/* args: -r tests/pcap/seconds.pcap -q -x oformat=heat -x aggrate=500ms -x unit=bytes */
/* Packets of 9 to 17 bytes, one every 250 ms; the last at 2 s, where the last column ends. */
ip:::receive { @size[args[2]->ip_saddr] = quantize(args[2]->ip_plength); @n = count(); }
