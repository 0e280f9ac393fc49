/* An inline's parameter, and values computed from it, can be compared with NULL, which equals "". */
#pragma D option quiet

inline int is_there[string s] = s != NULL;
inline string bracketed[string s] = strchr(s, ':') != NULL ? strjoin("[", strjoin(s, "]")) : s;

BEGIN
{
	printf("%d %d %s %s\n", is_there["x"], is_there[""], bracketed["::1"], bracketed["127.0.0.1"]);
	exit(0);
}
