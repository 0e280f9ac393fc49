/* args: -q */
/*
 * exit() in a branch that is not taken does nothing. In a branch that is taken, the rest of the
 * clause still runs, and no other clause does.
 */
BEGIN { x = 1; if (x == 2) exit(2); else printf("a\n"); }
BEGIN { if (x == 1) { if (x == 2) { exit(3); } printf("b\n"); } if (x == 3) exit(4); }
BEGIN { printf("c\n"); if (x) { if (x == 1) exit(5); printf("d\n"); } else exit(6); printf("e\n"); x = 7; }
BEGIN { printf("f\n"); }
END { if (x == 7) printf("end %d\n", x); }
