/* args: -q */
/* ways: live */
/* Every unit; a bare number is a rate. */
tick-200000000ns, tick-300000000nsec, tick-250000us, tick-250001usec, tick-200ms, tick-201msec, tick-5hz, tick-6 { n++; }
tick-1s, tick-1sec, tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day { m++; }
tick-1s { printf("%d\n", n > 20); exit(0); }
