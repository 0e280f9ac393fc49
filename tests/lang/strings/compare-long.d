/* args: -q -x strsize=1k */
/* Comparison covers every byte and the length; bytes above 127 are large. */
BEGIN
{
	t = strjoin("abcdefgh", "abcdefgh");
	t = strjoin(t, t);
	t = strjoin(t, t);
	same = strjoin(t, "");
	first = strjoin("b", t);
	last = strjoin(t, "z");
	high = strjoin(t, "\377");
	far = strjoin(strjoin(t, t), strjoin(t, "1"));
	farther = strjoin(strjoin(t, t), strjoin(t, "2"));
}
BEGIN { printf("%d %d %d %d %d %d\n", t == same, t != same, t < same, t <= same, t > same, t >= same); }
BEGIN { printf("%d %d %d %d %d %d\n", t == last, t != last, t < last, t <= last, t > last, t >= last); }
BEGIN { printf("%d %d %d %d\n", first < t, first > t, last < t, last > t); }
BEGIN { printf("%d %d %d\n", high > last, last > high, high == last); }
BEGIN { printf("%d %d %d %d\n", far == farther, far < farther, farther < far, far != farther); exit(0); }
