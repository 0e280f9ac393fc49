/* args: -q */
/* print() shows one value with its type; for a typedef, the type is the name of the typedef. */
typedef struct { short a; } foo_t;
enum e { RED, GREEN = 5 } ee;
struct in { char c; } arr[2];
foo_t f;
int v[3];
char name[6];
BEGIN
{
	name[0] = 'a';
	name[1] = '"';
	v[1] = -1;
	arr[1].c = 'x';
	print(ee);
	ee = GREEN;
	print(ee);
	print((pid_t)77);
	print((int64_t)-1);
	print((uint8_t)200);
	print((char)65);
	print("foo");
	print(probename);
	print(name);
	print(v);
	print(f);
	print(arr);
	print((void *)0);
	print(self->nothing = 3);
	print(&f.a == NULL);
}
BEGIN { print(*(int *)NULL); }
BEGIN { exit(0); }
