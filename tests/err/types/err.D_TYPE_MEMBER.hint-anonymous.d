/* args: -q -x errtags */
/* A member without a name gives no hint. */
struct parts {
	union {
		int first;
		int second;
	};
	int third;
};

BEGIN
{
	trace(((struct parts *)NULL)->thirt);
}
