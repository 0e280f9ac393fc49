/* args: -q -x strsize=128 */
/* json() of a missing element is NULL, also for truncated or invalid JSON. */
BEGIN
{
	s = strjoin("{\"a\": 1, \"name\":\"b, \\\"x\\\" }\", \"list\": [10, [1,2] , {\"k\": true} ,\"s\"],",
	    "\n\"o\": { \"p\": { \"q\": -1.5e3 } }, \"a\": 2, \"n\":\"\"\t}");
	printf("%d%d%d\n", json(s, "b") == NULL, json(s, "list[4]") == NULL, json(s, "a.b") == NULL);
	printf("%d%d%d\n", json(s, "a[0]") == NULL, json(s, "list.k") == NULL, json(s, "") == NULL);
	printf("%d%d%d\n", json("", "a") == NULL, json("{}", "a") == NULL, json("[]", "[0]") == NULL);
	printf("%d%d%d\n", json("5", "a") == NULL, json("{\"a\": 1", "a") == NULL, json("{\"a\":\"x", "a") == NULL);
}
BEGIN { printf("%s", json(s, "nobody")); }
BEGIN { printf("%s", json(NULL, "nobody")); }
BEGIN { exit(0); }
