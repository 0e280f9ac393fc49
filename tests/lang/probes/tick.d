/* args: -q */
/* ways: live */
/* Every unit of time; a bare number is a rate. On a busy machine, any tick may be late. */
tick-200000000ns { ns++; }
tick-300000000nsec { nsec++; }
tick-250000us { us++; }
tick-250001usec { usec++; }
tick-200ms { ms++; }
tick-201msec { msec++; }
tick-5hz { hz++; }
tick-6 { bare++; }
tick-1s { s = 1; }
tick-1sec { sec = 1; }
tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day { early = 1; }
tick-100ms
/ns > 2 && nsec > 2 && us > 2 && usec > 2 && ms > 2 && msec > 2 && hz > 2 && bare > 2 && s && sec/
{
	printf("%d\n", early);
	exit(0);
}
