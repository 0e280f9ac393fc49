/* args: -r tests/pcap/empty.pcap -q -x checked */
self string s;
string never;
BEGIN { printf("[%s]\n", strjoin(strjoin(never, "a"), never)); }
BEGIN { self->s = ""; self->s = strjoin(strjoin(self->s, "a"), self->s); printf("[%s]\n", self->s); }
BEGIN { self->s = strjoin(strjoin(self->s, "b"), self->s); printf("[%s]\n", self->s); }
END { @[never == "" ? self->s : "x", self->s] = count(); printa("%s %s %@d\n", @); }
