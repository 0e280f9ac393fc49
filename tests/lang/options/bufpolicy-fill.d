/* args: -qw -b 52 -x bufpolicy=fill */
/* The first records stay, and those of END; when there is no room for one tracing ends. */
BEGIN { printf("%d\n", 1); }
BEGIN { printf("%d\n", 2); }
BEGIN { printf("%d\n", 3); }
BEGIN { printf("%d\n", 4); system("echo a command"); }
BEGIN { printf("%d\n", 5); exit(3); }
BEGIN { printf("%d\n", 6); }
END { printf("%d\n", 7); }
