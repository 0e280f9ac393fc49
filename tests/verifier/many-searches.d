/* args: -x strsize=4096 */
/*
 * All functions that loop over long strings, 64 times each: the verifier checks each routine once.
 */
BEGIN
{
	x = copyinstr(arg0);
	y = copyinstr(arg1);
	trace(strstr(x, y));
	trace(strstr(y, x));
	trace(index(x, y));
	trace(rindex(x, y));
	trace(strtok(x, y));
	trace(strtok(NULL, x));
	trace(cleanpath(x));
	trace(cleanpath(y));
	trace(json(x, y));
	trace(json(y, x));
	trace(strtoll(x));
	trace(strchr(x, 'a'));
	trace(basename(x));
	trace(dirname(y));
	trace(toupper(x));
	trace(substr(y, 3));
}
