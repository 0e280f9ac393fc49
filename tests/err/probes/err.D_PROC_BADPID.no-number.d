/* args: -q -x errtags */
/* ways: live */
pid:::entry
{
	trace(1);
}
