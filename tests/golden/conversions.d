/* Each conversion of the language, values known at compile time, and the sizes of strings. */
uint8_t small;
struct pair { int n; char name[8]; };
struct pair pairs[int];
inline string twice = strjoin(execname, execname);

BEGIN
/small == 4 && small > 0xffffffffff/
{
	this->n = (int8_t)timestamp / 3u;
	this->n += small;
	this->p = (char *)curthread->comm;
	this->name = curthread->comm;
	this->name = NULL;
	x[twice, stringof(this->p)] = small ? "yes" : curthread->comm;
	pairs[1] = NULL;
	@[probename, curthread->comm] = sum(1 - sizeof (int) == 0 ? 2 : timestamp);
	*curthread->comm == 'x' ? this->n : curthread;
	trace(curthread->comm);
	this->name == curthread->comm;
	(void)substr("abc", 1);
}
