/* args: -q -x errtags */
/* ways: live */
pid$pid:a.out:main:ffffffff
{
	trace(1);
}
