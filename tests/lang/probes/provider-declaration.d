/* args: -q -Z */
/* A provider declaration: native and translated arguments; two underscores are a dash. */
struct event { int e_size; };
typedef struct eventinfo { int size; string name; } eventinfo_t;
translator eventinfo_t < struct event *E > { size = E->e_size; name = "event"; };
#pragma D attributes Evolving/Evolving/Common provider mine provider
provider mine {
	probe first__event(struct event *, int) : (eventinfo_t *, int);
	probe second(int x, char *y);
	probe none();
};
BEGIN { printf("declared\n"); exit(0); }
