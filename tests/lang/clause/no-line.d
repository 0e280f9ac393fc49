/* ways: replay checked */
/* A clause that records nothing prints no line. An empty clause, or { ; }, prints a line. */
BEGIN { x = 1; }
BEGIN { @ = count(); self->y = 2; }
BEGIN { }
BEGIN { ; }
BEGIN /x/ { x++, x++; }
BEGIN /x == 3/ { exit(0); }
