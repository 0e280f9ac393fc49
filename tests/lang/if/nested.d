/* args: -q */
/* An else belongs to the nearest if. */
BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN
{
	i++;
	if (i & 1)
		if (i & 2)
			printf("%d: both\n", i);
		else
			printf("%d: low\n", i);
	else {
		if (i & 2) {
			if (i & 4)
				printf("%d: high and middle\n", i);
			else
				printf("%d: middle\n", i);
		} else if (i & 4) {
			printf("%d: high\n", i);
		} else
			printf("%d: none\n", i);
	}
	if (i == 8)
		exit(0);
}
