/* A pointer whose digits are wanted is a number first: the routine that makes them calculates. */
BEGIN
{
	s = strjoin(lltostr((uint64_t)curthread), lltostr((uint64_t)curthread->real_parent));
	printf("%d\n", strlen(s));
}
