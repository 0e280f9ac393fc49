int total;
uint16_t seen[string];

ip:::receive
{
	total += args[2]->ip_plength;
	seen[args[2]->ip_saddr]++;
	self->last = timestamp;
}

END { printf("%d %d\n", total, seen["192.0.2.1"]); }
