/* ways: replay checked */
/* A body that only assigns or aggregates prints no line; an empty one does, and so does one with an empty statement. */
BEGIN { x = 1; }
BEGIN { @ = count(); self->y = 2; }
BEGIN { }
BEGIN { ; }
BEGIN /x/ { x++, x++; }
BEGIN /x == 3/ { exit(0); }
