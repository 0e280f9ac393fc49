/* args: -r tests/pcap/empty.pcap -q -Z */
/* A probe's declaration gives the types of its arguments, even if the probe does not exist. */
struct event { int e_size; };
typedef struct eventinfo { short size; string name; } eventinfo_t;
translator eventinfo_t < struct event *E > { size = E->e_size; name = "event"; };
provider mine {
	probe first(struct event *, char) : (eventinfo_t *, char);
};
mine:::first { size = args[0]->size; name = args[0]->name; c = args[1]; }
BEGIN { printf("%d %d [%s]\n", sizeof (size), sizeof (c), name); exit(0); }
