BEGIN
{
	x = 1;
	trace(execnam);
}
