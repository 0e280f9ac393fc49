/* args: -q */
/* ways: live */
/* Every unit; a bare number is a rate.  A busy machine may be late with any of them. */
tick-200000000ns { ns = 1; }
tick-300000000nsec { nsec = 1; }
tick-250000us { us = 1; }
tick-250001usec { usec = 1; }
tick-200ms { ms = 1; }
tick-201msec { msec = 1; }
tick-5hz { hz = 1; }
tick-6 { bare = 1; }
tick-1s { s = 1; }
tick-1sec { sec = 1; }
tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day { early = 1; }
tick-100ms /ns + nsec + us + usec + ms + msec + hz + bare + s + sec == 10/ { printf("%d\n", early); exit(0); }
