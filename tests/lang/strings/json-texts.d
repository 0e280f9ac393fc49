/* args: -q -x strsize=128 */
/* json(): nested arrays, names with a common prefix, empty names, blanks, nested elements. */
BEGIN
{
	printf("[%s] [%s]\n", json("[ 1 , 22 ]", "[1]"), json("[[[5]]]", "[0][0][0]"));
	printf("[%s] [%s]\n", json("{\"ab\": 1, \"a\" :\t2 }", "a"), json("{\"\":7}", ""));
	printf("[%s]\n", json(json("{\"a\": \n[0, {\"k\": [\"]\", \"}\"]}]}", "a"), "[1].k[1]"));
	printf("[%s]\n", json("{\"x\":{\"a\":1},\"y\":[{\"a\":2}],\"a\":3}", "a"));
	printf("%d\n", json("{\"a\":5}", "a") == "5");
	exit(0);
}
