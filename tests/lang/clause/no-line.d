/* ways: replay checked */
/* Without records a body prints no line. An empty body, or one with an empty statement, prints one. */
BEGIN { x = 1; }
BEGIN { @ = count(); self->y = 2; }
BEGIN { }
BEGIN { ; }
BEGIN /x/ { x++, x++; }
BEGIN /x == 3/ { exit(0); }
