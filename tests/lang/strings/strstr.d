/* args: -q */
/*
 * strstr(), strchr() and strrchr() return the rest of the string from the match on, or NULL. The
 * match may include the last character.
 */
BEGIN
{
	s = "eth0:up,eth1:down";
	none = "";
	printf("[%s] [%s] [%s]\n", strstr(s, "eth1"), strstr(s, "0:up,eth1:do"), strstr(s, none));
	printf("[%s] [%s] [%s]\n", strchr(s, 'e'), strchr(s, ':'), strchr(s, 'n'));
	printf("[%s] [%s] [%s]\n", strrchr(s, 'e'), strrchr(s, ':'), strrchr(s, 'n'));
	printf("[%s] [%s] [%s]\n", strchr(s, 0), strrchr(s, 0), strchr(none, 0));
	printf("[%s] [%s]\n", strstr("one two", "two"), strrchr("a/b/c", '/'));
	printf("%d %d %d\n", strstr(s, "eth2") == NULL, strchr(s, 'z') == NULL, strrchr(s, 'z') == NULL);
	printf("%d %d %d\n", strstr(s, "eth1") != NULL, strchr(s, ':') != NULL, strstr(none, "a") == NULL);
	printf("[%s]\n", strstr(none, none));
	t = strstr(s, "eth2");
	printf("%d\n", t == NULL);
	t = strstr(s, "down");
	printf("%d [%s] %d\n", t == NULL, t, strlen(t));
}

BEGIN { trace(strstr(s, "eth2")); }
BEGIN { trace(strlen(strchr(s, 'z'))); }
BEGIN { @[strrchr(s, 'z')] = count(); }
BEGIN { exit(0); }
