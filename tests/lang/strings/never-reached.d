/*
 * Unreachable code is not generated, and neither are routines that only unreachable code
 * calls.
 */
#pragma D option quiet
inline uint64_t far[int8_t i, int n] = n >= 128l ? n != i : 4012714542ll * n;
int x;
BEGIN
{
	printf("[%#o]\n", far[rindex(strtok(NULL, ""), "b", ~100ul), x & !127 ^^ x]);
	exit(0);
}
