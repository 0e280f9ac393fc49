/* ways: replay checked */
/* One firing of a clause prints one line for all branches; if no taken branch recorded, it prints none. */
BEGIN { trace(1); if (1) trace(2); if (0) trace(3); trace(4); }
BEGIN { if (0) trace(5); }
BEGIN { if (0) trace(6); if (0) { trace(7); } else { x = 1; } }
BEGIN { if (x) trace("x"); else trace(8); if (!x) trace(9); }
BEGIN { if (x) { } }
BEGIN { if (x) ; else trace(10); }
BEGIN { if (x) @ = count(); }
BEGIN { if (x) exit(0); else trace(11); }
