/* args: -q -r tests/pcap/empty.pcap */
// A comment may stand where blanks may. /* this one ends here
#pragma D option defaultargs
  // #pragma D option nosuch
inline int LIMIT = 3; // "not a string
int n, // two
    m; //
BEGIN // begin { /pid/
// between
/ LIMIT > 2 // in the predicate
  && LIMIT < 4 / // behind the predicate '
{ // behind the brace }
	printf("%s %d\n", "http://example.net//x", 8 // divided
	    / 4); // "
	n = LIMIT / /* both */ 3; // */ /*
	trace('/'); // \
	trace("\n");
}// no blank
BEGIN /n == 1//* as other systems have it */{ printf("classic\n"); }
BEGIN /$1//2 divides/
== 0/ { printf("a comment in a predicate\n"); }
struct s { // of a struct
	int a; // a
} v;
dtrace:::BEGIN, // one
dtrace:::END // two
{ v.a++; @[/* a */ "k" // key
] = count(); } //
BEGIN { exit(0); } // no newline at the end