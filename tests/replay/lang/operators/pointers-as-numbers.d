/* args: -q -r tests/pcap/connections.pcap */
/* A pointer works as a number, even if the kernel's verifier knows its type. */
BEGIN
{
	this->n = 0x123456789;	/* not the value of any pointer */
	p = (long)curthread;
	printf("%d %d %d\n", ((long)curthread & 0xfff) == p % 4096, ((long)curthread | 1) == p + 1 - (p & 1),
	    ((long)curthread ^ this->n) == (p ^ this->n));
	printf("%d %d %d\n", (uint64_t)curthread >> 4 == (uint64_t)p / 16, (long)curthread << 4 == p * 16,
	    ~(long)curthread == -p - 1);
	printf("%d %d %d\n", (int)curthread == (int)p, (char)(long)curthread == (char)p, (short)curthread == (short)p);
	printf("%d %d\n", (long)curthread + (long)curthread == 2 * p, (long)curthread - (long)&curthread->pid ==
	    -offsetof(struct task_struct, pid));
	printf("%d %d\n", lltostr((long)curthread) == lltostr(p), htonll((long)curthread) == htonll(p));
	this->p = (long)curthread;
	this->p &= 0xff;
	this->q = (long)curthread;
	this->q++;
	self->p = (long)curthread;
	self->p %= 7;
	a[(int)curthread, (long)curthread & 7] = 1;
	printf("%d %d %d %d\n", this->p == (p & 0xff), this->q == p + 1, self->p == p % 7, a[(int)p, p & 7]);
}
BEGIN
/(long)curthread & 0xffff || (long)&curthread->pid & 0xfff/
{
	exit((long)curthread != p);
}
