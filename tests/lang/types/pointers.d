/* Pointers: arithmetic counts objects, and reading missing memory is a fault. */
#pragma D option quiet

typedef struct pair {
	int first;
	long second;
	int (*call)(int, char *);
} pair_t;

BEGIN
{
	printf("%p %p %p\n", (int *)8 + 1, (pair_t *)0 + 2, (char *)8 - 1);
	printf("%d %d\n", (int *)16 - (int *)8, (pair_t *)48 - (pair_t *)0);
	printf("%p %p %p\n", &((pair_t *)0)->second, &((pair_t *)0)->call, &((int *)0)[3]);
	printf("%d %d %d\n", sizeof(pair_t), sizeof(pair_t *), sizeof(userland char *));
	printf("%d %d\n", offsetof(pair_t, second), sizeof(((pair_t *)0)->call));
	printf("%d %d\n", (char *)8 == NULL, (char *)0 == NULL);
}

BEGIN
{
	printf("not shown %d", *(int *)0);
}

BEGIN
{
	printf("not shown %d", ((pair_t *)16)->first);
}

BEGIN
{
	printf("but this\n");
	exit(0);
}
