/* args: -q */
/* cidr() and net(): addresses in memory, as text and in variables; IPv4-mapped IPv6 addresses. */
uint32_t host[1];
uint32_t six[4];

BEGIN
{
	host[0] = htonl(0x0a017f80);        /* 10.1.127.128 */
	printf("%d%d%d%d%d%d\n", cidr(host, "10.0.0.0/8"), cidr(host, "10.1.127.128"), cidr(host, "0.0.0.0/0"),
	    cidr(host, "10.1.64.0/18"), cidr(host, "::ffff:10.0.0.0/104"), cidr(host, "10.1.127.128/25"));
}

BEGIN
{
	printf("%d%d%d%d\n", cidr(host, "11.0.0.0/8"), cidr(host, "10.1.127.129"), cidr(host, "10.1.128.0/17"),
	    cidr(host, "::/0"));
}

BEGIN
{
	printf("%s %s %s %s %s\n", net(host, 24), net(host, 25), net(host, 9), net(host, 0), net(host, 128));
}

/* 2001:db8:8000:ff::1 */
BEGIN
{
	six[0] = htonl(0x20010db8);
	six[1] = htonl(0x800000ff);
	six[2] = 0;
	six[3] = htonl(1);
	printf("%d%d%d%d%d%d\n", cidr(six, "2001:db8::/32"), cidr(six, "2001:db8:8000::/33"), cidr(six, "::/0"),
	    cidr(six, "2001:db8:8000:ff::1"), cidr(six, "2001:db8:8000:ff::/127"), cidr(six, "2000::/3"));
}

BEGIN
{
	printf("%d%d%d%d\n", cidr(six, "2001:db9::/32"), cidr(six, "2001:db8::/33"),
	    cidr(six, "2001:db8:8000:ff::/128"), cidr(six, "0.0.0.0/0"));
}

BEGIN
{
	printf("%s %s %s %s\n", net(six, 32), net(six, 33), net(six, 64), net(six, 127));
}

/* The address of a dual-stack socket: ::ffff:10.1.127.128. */
BEGIN
{
	six[0] = 0;
	six[1] = 0;
	six[2] = htonl(0xffff);
	six[3] = host[0];
	printf("%d%d%d\n", cidr(six, "10.1.0.0/16"), cidr(six, "::/0"), cidr(six, "10.2.0.0/16"));
	printf("%s\n", net(six, 16));
}

BEGIN
{
	six[2] = 0;
	six[3] = htonl(1);                /* ::1 */
	printf("%d%d%d\n", cidr(six, "::/0"), cidr(six, "::1"), cidr(six, "0.0.0.0/8"));
}

/*
 * Addresses as text: a computed string, a variable, a literal. A text that is no address is in no
 * network, and net() returns it unchanged.
 */
BEGIN
{
	this->four = inet_ntop(AF_INET, host);
	kept[1] = inet_ntop(AF_INET, host);
	printf("%d%d%d\n", cidr(this->four, "10.0.0.0/8"), cidr(kept[1], "10.1.0.0/16"), cidr(inet_ntoa(host), "10.1.127.0/24"));
	printf("%d%d%d\n", cidr(kept[2], "0.0.0.0/0"), cidr(kept[1], "12.0.0.0/8"), cidr(kept[1], "::/0"));
	printf("%d%d%d\n", cidr("10.0.0.1", "10.0.0.0/31"), cidr("fe80::1", "fe80::/10"), cidr("10.0.0.1", "fe80::/10"));
}

BEGIN
{
	this->four = inet_ntop(AF_INET, host);
	printf("%s %s %s\n", net(this->four, 8), net(kept[1], 16), net("10.9.8.7", 8));
	printf("%s %d %d\n", strjoin(net(host, 24), "/24"), strlen(net(host, 24)), net(host, 16) == "10.1.0.0");
	this->or = host[0] != 0 ? "<none>" : inet_ntoa(host);
	printf("%s %d\n", net(this->or, 8), cidr(this->or, "0.0.0.0/0"));
	@[net(host, 16)] = count();
	@[net(kept[1], 16)] = count();
	exit(0);
}
