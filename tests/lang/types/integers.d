/* Sizes of integer types and constants, promotion by rank, and truncation in stores. */
#pragma D option quiet

enum colour { RED, GREEN = 5, BLUE };

int8_t small;
uint16_t middle;

BEGIN
{
	printf("%d %d %d %d %d %d\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long),
	    sizeof(void *));
	printf("%d %d %d %d\n", sizeof(int8_t), sizeof(uint16_t), sizeof(int32_t), sizeof(uint64_t));
	printf("%d %d %d %d %d\n", sizeof(size_t), sizeof(pid_t), sizeof(uid_t), sizeof(uintptr_t), sizeof(u_char));
	printf("%d %d %d %d\n", sizeof(1), sizeof(4294967295), sizeof(0xffffffff), sizeof(0x100000000));
	printf("%d %d %d %d\n", sizeof(1l), sizeof(1ull), sizeof(1u), 0xffffffff > 0);
	printf("%d %d %d %d\n", 010, 0x10, 10, 0);
	printf("%d %d %d %d\n", 'a', 'ab', '\n', '\0');
	printf("%d %d\n", sizeof((uint16_t)1 - (uint8_t)2), (uint16_t)1 - (uint8_t)2);
	printf("%d %d\n", sizeof((uint32_t)1 - (uint8_t)2), (uint32_t)1 - (uint8_t)2);
	printf("%d %d\n", sizeof((char)1 + (char)1), (char)-1 < (char)0);
	printf("%d %d %d\n", (char)200, (unsigned char)300, (short)-32769);
	small = 200;
	middle = 70000;
	printf("%d %d\n", small, middle);
	printf("%d %d %d\n", BLUE, GREEN + 1, sizeof(enum colour));
	printf("%d %d\n", (enum colour)5 == GREEN, (enum colour)5 == BLUE);
	exit(0);
}
