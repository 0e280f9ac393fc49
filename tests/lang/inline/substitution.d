/*
 * An inline parameter stands for its expression. The expression is evaluated again after one of its
 * variables has changed, and at each use if it has side effects.
 */
#pragma D option quiet
int w, n;
string s;
inline int twice[int p] = p + p;
inline int store[int p] = (w = p) + p;
inline int added[int p] = n++ + p * 10;
inline string name[int p] = p == 1 ? "one" : p == 2 ? "two" : p == 3 ? "three" : "many";

BEGIN
{
	w = 1;
	printf("%d\n", store[w + 1]);           /* (w = 2) + (2 + 1) */
	printf("%d %d\n", w, store[store[w]]);  /* 2: store[w] is (w = w) + w */
	n = 3;
	printf("%d\n", added[n + 1]);           /* 3 + (4 + 1) * 10 */
	printf("%d\n", twice[n++]);             /* 4 + 5 */
	printf("%d\n", n);
	printf("%s %s\n", name[n - 4], name[strlen(s = "ab")]);
	printf("%s\n", name[(n == 6 ? strlen(s) : 0) + (s == "ab")]);
	exit(0);
}
