/* args: -r tests/pcap/empty.pcap -q */
BEGIN, END, dtrace:::BEGIN { printf("a"); }
dtrace:::END { printf("b"); }
:::BEGIN { printf("c"); }
::BEGIN { printf("d"); }
:BEGIN { printf("e"); }
BEG* { printf("f"); }
B?GIN { printf("g"); }
[AB]EGIN { printf("h"); }
d*e:::[!E]* { printf("i"); }
