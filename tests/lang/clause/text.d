#!/usr/sbin/dtrace -qs
#pragma D option quiet
/* A comment may have several
   lines, and "quotes' and // in it. A line may continue. Behind -> and . a word of D names a member. */
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
