string *p;
BEGIN
{
	trace(*p);
}
