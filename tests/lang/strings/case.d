/* args: -q */
/* Only ASCII letters change case. */
BEGIN
{
	s = "Az[`{@ mixed CASE 0-9 \303\204\344 ~";
	printf("[%s]\n[%s]\n", toupper("az"), tolower("AZ"));
	printf("%d %d\n", toupper(s) == "AZ[`{@ MIXED CASE 0-9 \303\204\344 ~", tolower(s) == "az[`{@ mixed case 0-9 \303\204\344 ~");
	printf("[%s] [%s]\n", toupper(""), tolower(""));
	printf("[%s]\n", toupper("eight888"));
	@["", toupper(strjoin("k", "ey"))] = count();
	@["", "KEY"] = count();
	a[tolower("Word")] = 7;
	printf("%d %d\n", a["word"], a[tolower("WORD")]);
	exit(0);
}
