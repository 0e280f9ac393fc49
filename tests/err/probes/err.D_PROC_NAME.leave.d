/* args: -q -x errtags */
/* ways: live */
pid$pid:a.out:main:leave
{
	trace(1);
}
