/* args: -qw -x confine=off -b 52 -x bufpolicy=ring */
/* The last records, END included, are kept and shown at the end; exit() takes effect at once. */
BEGIN { printf("%d\n", 1); }
BEGIN { printf("%d\n", 2); }
BEGIN { printf("%d\n", 3); }
BEGIN { printf("%d\n", 4); system("echo a command"); }
BEGIN { printf("%d\n", 5); exit(3); }
BEGIN { printf("%d\n", 6); }
END { printf("%d\n", 7); }
