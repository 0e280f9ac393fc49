/* args: -r tests/pcap/empty.pcap -q */
/* A hundred values wait for their operands: 3 + 4 + ... + 102 + 1. */
BEGIN { i = 1; printf("%d\n",
	((i * 3) + ((i * 4) + ((i * 5) + ((i * 6) + ((i * 7) + ((i * 8) + ((i * 9) +
	((i * 10) + ((i * 11) + ((i * 12) + ((i * 13) + ((i * 14) + ((i * 15) + ((i * 16) +
	((i * 17) + ((i * 18) + ((i * 19) + ((i * 20) + ((i * 21) + ((i * 22) + ((i * 23) +
	((i * 24) + ((i * 25) + ((i * 26) + ((i * 27) + ((i * 28) + ((i * 29) + ((i * 30) +
	((i * 31) + ((i * 32) + ((i * 33) + ((i * 34) + ((i * 35) + ((i * 36) + ((i * 37) +
	((i * 38) + ((i * 39) + ((i * 40) + ((i * 41) + ((i * 42) + ((i * 43) + ((i * 44) +
	((i * 45) + ((i * 46) + ((i * 47) + ((i * 48) + ((i * 49) + ((i * 50) + ((i * 51) +
	((i * 52) + ((i * 53) + ((i * 54) + ((i * 55) + ((i * 56) + ((i * 57) + ((i * 58) +
	((i * 59) + ((i * 60) + ((i * 61) + ((i * 62) + ((i * 63) + ((i * 64) + ((i * 65) +
	((i * 66) + ((i * 67) + ((i * 68) + ((i * 69) + ((i * 70) + ((i * 71) + ((i * 72) +
	((i * 73) + ((i * 74) + ((i * 75) + ((i * 76) + ((i * 77) + ((i * 78) + ((i * 79) +
	((i * 80) + ((i * 81) + ((i * 82) + ((i * 83) + ((i * 84) + ((i * 85) + ((i * 86) +
	((i * 87) + ((i * 88) + ((i * 89) + ((i * 90) + ((i * 91) + ((i * 92) + ((i * 93) +
	((i * 94) + ((i * 95) + ((i * 96) + ((i * 97) + ((i * 98) + ((i * 99) + ((i * 100) +
	((i * 101) + ((i * 102) +
	1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))); }

/* Seventy variables of a clause at once, each x and its number: 70 * 1000 + 0 + 1 + ... + 69. */
BEGIN { x = 1000; }
BEGIN {
	this->x0 = x + 0; this->x1 = x + 1; this->x2 = x + 2; this->x3 = x + 3; this->x4 = x + 4; this->x5 = x + 5;
	this->x6 = x + 6; this->x7 = x + 7; this->x8 = x + 8; this->x9 = x + 9; this->x10 = x + 10; this->x11 = x + 11;
	this->x12 = x + 12; this->x13 = x + 13; this->x14 = x + 14; this->x15 = x + 15; this->x16 = x + 16; this->x17 = x + 17;
	this->x18 = x + 18; this->x19 = x + 19; this->x20 = x + 20; this->x21 = x + 21; this->x22 = x + 22; this->x23 = x + 23;
	this->x24 = x + 24; this->x25 = x + 25; this->x26 = x + 26; this->x27 = x + 27; this->x28 = x + 28; this->x29 = x + 29;
	this->x30 = x + 30; this->x31 = x + 31; this->x32 = x + 32; this->x33 = x + 33; this->x34 = x + 34; this->x35 = x + 35;
	this->x36 = x + 36; this->x37 = x + 37; this->x38 = x + 38; this->x39 = x + 39; this->x40 = x + 40; this->x41 = x + 41;
	this->x42 = x + 42; this->x43 = x + 43; this->x44 = x + 44; this->x45 = x + 45; this->x46 = x + 46; this->x47 = x + 47;
	this->x48 = x + 48; this->x49 = x + 49; this->x50 = x + 50; this->x51 = x + 51; this->x52 = x + 52; this->x53 = x + 53;
	this->x54 = x + 54; this->x55 = x + 55; this->x56 = x + 56; this->x57 = x + 57; this->x58 = x + 58; this->x59 = x + 59;
	this->x60 = x + 60; this->x61 = x + 61; this->x62 = x + 62; this->x63 = x + 63; this->x64 = x + 64; this->x65 = x + 65;
	this->x66 = x + 66; this->x67 = x + 67; this->x68 = x + 68; this->x69 = x + 69;
	printf("%d\n", this->x0 + this->x1 + this->x2 + this->x3 + this->x4 + this->x5 + this->x6 + this->x7 + this->x8 + this->x9 +
		this->x10 + this->x11 + this->x12 + this->x13 + this->x14 + this->x15 + this->x16 + this->x17 + this->x18 + this->x19 +
		this->x20 + this->x21 + this->x22 + this->x23 + this->x24 + this->x25 + this->x26 + this->x27 + this->x28 + this->x29 +
		this->x30 + this->x31 + this->x32 + this->x33 + this->x34 + this->x35 + this->x36 + this->x37 + this->x38 + this->x39 +
		this->x40 + this->x41 + this->x42 + this->x43 + this->x44 + this->x45 + this->x46 + this->x47 + this->x48 + this->x49 +
		this->x50 + this->x51 + this->x52 + this->x53 + this->x54 + this->x55 + this->x56 + this->x57 + this->x58 + this->x59 +
		this->x60 + this->x61 + this->x62 + this->x63 + this->x64 + this->x65 + this->x66 + this->x67 + this->x68 + this->x69);
}
