/* args: -r tests/pcap/addresses.pcap -q */
string plain, array[string];

BEGIN
{
	plain = "a";
	array["k"] = "b";
	self->s = "c";
	this->s = "d";
	printf("%s%s%s%s\n", plain, array["k"], self->s, this->s);
	plain = 0;
	array["k"] = NULL;
	self->s = 0;
	this->s = NULL;
	printf("<%d%d%d%d>\n", plain == NULL, array["k"] == NULL, self->s == NULL, this->s == NULL);
	plain = "again";
	array["k"] = plain;
	printf("%s %s\n", plain, array["k"]);
	exit(0);
}
