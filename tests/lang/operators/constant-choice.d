/* args: -q -x defaultargs */
/* A choice whose condition is constant is decided when it is parsed: only the chosen branch counts. */
enum { OFF, ON };
inline int verbose = 1;
inline int quiet = !verbose;
inline int wide = sizeof (int) == 8 || $1 > 5;
inline string who = verbose ? "inline" : no_such_name;

/* the chosen branch may be an action, also inside another choice and in parentheses */
BEGIN { verbose ? printf("verbose\n") : 1; quiet ? printf("quiet\n") : 1; }
BEGIN { verbose ? quiet ? trace("both") : printf("verbose, not quiet\n") : 1; }
BEGIN { (wide ? printf("wide\n") : printf("narrow\n")); }
BEGIN { (int8_t)256 ? printf("256\n") : printf("cast\n"); $1 ? 1 : printf("macro\n"); }

/* the other branch names what does not exist, declares nothing, and has no type */
BEGIN { ON ? 1 : no_such_function(zonename, this->nobody->member, args[7]); }
BEGIN { this->text = ON ? "text" : 8; printf("%s %s\n", this->text, who); }
BEGIN { this->small = OFF ? timestamp : (uint8_t)7; printf("%d\n", sizeof (this->small)); }
BEGIN { OFF ? (@never = count()) : (@always = count()); OFF ? (late = "text") : 1; }
BEGIN { late = 3; printf("late %d\n", late); }

/* a condition with data chooses when the clause runs */
BEGIN { n = 4; printf("%s %s\n", n > 3 ? ON ? "a" : "b" : "c", n > 4 || OFF ? "d" : "e"); }
BEGIN { 1; exit(0); }
