/* args: -q -x errtags */
/* ways: live */
pid99999999:::entry
{
	trace(1);
}
