/* args: -q */
/* Updates, printa() and clear() in branches; an aggregation in one branch only. */
BEGIN, BEGIN, BEGIN, BEGIN, BEGIN
{
	i++;
	if (i & 1) {
		@odd[i] = sum(i);
		@n["odd"] = count();
	} else {
		@n["even"] = count();
		if (i == 4) @max = max(i * 10); else @max = max(i);
	}
	if (i == 5) exit(0);
}
END { if (i == 5) { printa("%d: %@d\n", @odd); clear(@odd); } else { printa(@n); } }
END { if (i < 5) clear(@n); else printa("%s %@d\n", @n); }
END { if (i == 5) printa("cleared %d: %@d\n", @odd); }
