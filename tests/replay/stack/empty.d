/* args: -r tests/pcap/nano.pcap */
BEGIN { stack(); trace(1); stack(3); }
END { printf("a%kb|%-10k|", stack(), stack(200)); trace(stack()); }
