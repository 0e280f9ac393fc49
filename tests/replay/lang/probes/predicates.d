/* args: -r tests/pcap/empty.pcap -q */
BEGIN /"a" == "a" && 1/ { printf("a"); }
BEGIN /2 > 1/{ printf("b"); }
BEGIN / 4 / 2 == 2 / { printf("c"); }
BEGIN /!1/ { printf("d"); }
BEGIN /x++ == 0 && x == 1/ { printf("e"); }
BEGIN /x/ { printf("f\n"); }
