/* args: -qw -x confine=off -b 52 -x bufpolicy=fill -x cpu=0 */
/*
 * The first records and END's records are kept. The first record that does not fit ends tracing. This
 * record and later ones are dropped: here 4 and 5, so system() and exit(3) are not carried out.
 */
BEGIN { printf("%d\n", 1); }
BEGIN { printf("%d\n", 2); }
BEGIN { printf("%d\n", 3); }
BEGIN { printf("%d\n", 4); system("echo a command"); }
BEGIN { printf("%d\n", 5); exit(3); }
BEGIN { printf("%d\n", 6); }
END { printf("%d\n", 7); }
