/* args: -q -x droptags */
/* Tags of what was lost. */
BEGIN { x = speculation(); y = speculation(); }
ERROR { trace(1 / (x - 1)); }
BEGIN { trace(1 / y); }
BEGIN { exit(0); }
