/* args: -x strsize=2048 */
/* A search of long texts takes the verifier half a million instructions: its routine is looked at once. */
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
}
