#!/usr/sbin/dtrace -qs
#pragma D option quiet
/* Comments go over
   lines, "quotes' and // in them; a line may be continued; words of D are members behind -> and . */
struct words { int self; int string; int provider; int probe; int translator; int stringof; };
struct words w;

BEGIN /* here */ /* and here */
{
	w.self = 1; w.string = 2; w.provider = 3; w.probe = 4; w.translator = 5; w.stringof = 6;
	this->p = 10 / /* no predicate */ 5;
	printf("%d %d %d %d %d %d %d %d\n", w.self, w.string, w.provider, w.probe, w.translator, w.stringof, \
		this->p, 3 \
		+ 4);
	exit(0);
}
