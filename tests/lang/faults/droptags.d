/* args: -q -x droptags */
/* Tags of losses. */
BEGIN { x = speculation(); y = speculation(); }
ERROR { trace(1 / (x - 1)); }
BEGIN { trace(1 / y); }
BEGIN { exit(0); }
