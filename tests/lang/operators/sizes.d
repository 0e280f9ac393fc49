/* args: -q */
/* offsetof, sizeof, casts, and values that are truncated when stored. */
struct s { char c; short h; int i; long l; char name[16]; int bits : 3; };
BEGIN
{
	printf("%d %d %d %d\n", offsetof(struct s, h), offsetof(struct s, i), offsetof(struct s, l), offsetof(struct s, name));
	printf("%d %d %d %d\n", sizeof (struct s), sizeof (char), sizeof ("text"), sizeof (long *));
	x = 0x1ff;
	printf("%d %d %d %u\n", (char)x, (unsigned char)x, (short)(x << 7), (uint32_t)-1);
	printf("%x %d\n", (int64_t)(int *)16, ((struct s *)16) == NULL);
	exit(0);
}
