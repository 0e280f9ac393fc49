/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; }; translator struct s < struct task_struct *t > { a = t->nosuch; }; BEGIN { }
