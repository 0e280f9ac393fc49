/* args: -r tests/pcap/empty.pcap -q */
/*
 * A NULL string is neither recorded nor read: a missing element, and an expression that is NULL.
 */
self string s;
string plain, array[string];

BEGIN { trace(self->s); }
BEGIN { trace(array["k"]); }
BEGIN { @[array["k"]] = count(); }
BEGIN { array[self->s] = "x"; }
BEGIN { trace(strlen(array["k"])); }
BEGIN { trace(strjoin("x", self->s)); }
BEGIN { trace(strlen(NULL)); }
BEGIN { plain = NULL; printf("%s", plain); }
BEGIN { this->s = "x"; this->s = 0; printf("%s", this->s); }
BEGIN { printf("the rest\n"); exit(0); }
