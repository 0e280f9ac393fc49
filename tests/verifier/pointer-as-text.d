/*
 * A pointer is converted to a number before its digits are computed, because the routine
 * calculates.
 */
BEGIN
{
	s = strjoin(lltostr((uint64_t)curthread), lltostr((uint64_t)curthread->real_parent));
	printf("%d\n", strlen(s));
}
