/* args: -q -x strsize=128 */
/*
 * json() finds an element of a text by names and numbers. A string loses its quotation marks;
 * other elements are printed as written.
 */
BEGIN
{
	s = strjoin("{\"a\": 1, \"name\":\"b, \\\"x\\\" }\", \"list\": [10, [1,2] , {\"k\": true} ,\"s\"],",
	    "\n\"o\": { \"p\": { \"q\": -1.5e3 } }, \"a\": 2, \"n\":\"\"\t}");
	printf("[%s] [%s] [%s]\n", json(s, "a"), json(s, "name"), json(s, "n"));
	printf("[%s] [%s]\n", json(s, "list"), json(s, "list[1]"));
	printf("[%s] [%s] [%s]\n", json(s, "list[1][1]"), json(s, "list[2].k"), json(s, "list[3]"));
	printf("[%s] [%s]\n", json(s, "o.p"), json(s, "o.p.q"));
	this->path = strjoin("list", "[0]");
	printf("%d\n", strtoll(json(s, this->path)) + 1);
	exit(0);
}
