/* args: -r tests/pcap/udp.pcap -q */
/* The verifier accepts no pointer as a number, and no access past the end of a member. */
BEGIN { this->i = (int64_t)curthread; printf("%d\n", (&curthread->comm[0])[this->i - this->i]); }
BEGIN { printf("%d\n", (&curthread->comm[0])[(int64_t)curthread - (int64_t)curthread]); }
BEGIN { @[inet_ntop(AF_INET6, (void *)&curthread->pid) == "::1"] = count(); }
BEGIN { exit(0); }
