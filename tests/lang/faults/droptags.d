/* args: -q -x droptags */
/* -x droptags prints the tag of each kind of loss. */
BEGIN { x = speculation(); y = speculation(); }
ERROR { trace(1 / (x - 1)); }
BEGIN { trace(1 / y); }
BEGIN { exit(0); }
