/* An address outside of all modules is printed as a number, in the column of the names. */
#pragma D option quiet

BEGIN
{
	sym(1);
	func(0x2);
	mod(3);
	printf("|\n");
	usym(4);
	ufunc(5);
	umod(0x60);
	uaddr(7);
	printf("|\n");
	printf("[%a] [%8a] [%-8a] [%A] [%A] [%A]\n", sym(8), mod(9), func(10), usym(11), umod(12), uaddr(13));
	printf("[%a] [%10A]\n", 14, 15);
	@both[sym(1), usym(2)] = count();
	@both[func(1), ufunc(2)] = count();
	@[mod(1)] = sum(5);
	exit(0);
}
