/* args: -qw -b 52 -x bufpolicy=fill -x cpu=0 */
/* The first records stay, and those of END; when there is no room for one tracing ends.
   What has no room is a drop: that of 4 and that of 5, which ends what its event fires. */
BEGIN { printf("%d\n", 1); }
BEGIN { printf("%d\n", 2); }
BEGIN { printf("%d\n", 3); }
BEGIN { printf("%d\n", 4); system("echo a command"); }
BEGIN { printf("%d\n", 5); exit(3); }
BEGIN { printf("%d\n", 6); }
END { printf("%d\n", 7); }
