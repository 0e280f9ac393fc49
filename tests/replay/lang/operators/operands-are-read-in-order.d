/* args: -r tests/pcap/empty.pcap -q -x checked */
this int x;
BEGIN
{
	this->x = 5;
	printf("%d\n", this->x + this->x++);
	printf("%d\n", this->x - (this->x = 2));
	printf("%d\n", this->x == ++this->x);
	this->x += this->x++;
	printf("%d\n", this->x);
	@ = quantize(this->x, this->x++);
}
