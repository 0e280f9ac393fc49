/* args: -r tests/pcap/empty.pcap -q */
uint8_t a; int16_t b; uint32_t c; int64_t d;
BEGIN
{
	a = 200; b = -2; c = 4000000000; d = -1;
	@[a, b, c, d, "text"] = count();
	@one["x"] = sum(5);
	@signed[(int8_t)-1] = count();
}
