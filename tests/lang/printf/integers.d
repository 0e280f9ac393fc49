/* args: -q */
/* Sign and size come from the argument; h, l and ll must match the argument's size. */
BEGIN
{
	this->b = (int8_t)-1;
	this->h = (uint16_t)65535;
	this->i = -7;
	this->u = (uint32_t)4294967295;
	this->q = (int64_t)-1;
	printf("d [%d] [%d] [%d] [%d] [%d]\n", this->b, this->h, this->i, this->u, this->q);
	printf("i [%i] [%i] [%i]\n", this->b, this->i, this->q);
	printf("u [%u] [%u] [%u]\n", this->b, this->i, this->q);
	printf("o [%o] [%o] [%#o]\n", this->b, this->h, 8);
	printf("x [%x] [%x] [%x] [%#x]\n", this->b, this->h, this->q, 255);
	printf("X [%X] [%#X]\n", this->u, 255);
	printf("sizes [%hd] [%d] [%ld] [%lld] [%hu] [%lu] [%llx]\n", (short)-2, -3, (long)-4, (long long)-5,
	    (unsigned short)6, (unsigned long)7, (unsigned long long)255);
	printf("flags [%5d] [%-5d] [%05d] [%+d] [% d] [%'d]\n", 42, 42, 42, 42, 42, 1234567);
	printf("widths [%8.3d] [%*d] [%-*d] [%.*d]\n", 7, 6, 42, 6, 42, 4, 42);
	printf("100%% of %d%%\n", 5);
	exit(0);
}
