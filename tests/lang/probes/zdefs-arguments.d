/* args: -q -Z */
/*
 * If a probe does not exist, the types of its args[] are unknown, and every use compiles. A variable
 * that gets only such values is the number 0, unless the clause of an existing probe gives it a type.
 */
typedef struct info { int size; } info_t;
translator info_t < int *I > { size = *I; };

nosuch:::start
/args[0]->big == 3 && args[1] && !args[2].x && args[3][2]->y < 7/
{
	@by[args[0]->name, pid] = sum(args[1]->size);
	@times[args[0]] = lquantize(args[1], 0, 10, 1, args[2]);
	self->p = args[0];
	self->q = self->p->next->x + 1;
	started[args[0]->id] = timestamp;
	values[pid] = args[1]->value;
	number = args[0]->z;
	text = args[0]->z;
	total += args[1]->bytes;
	total = args[1] ? 1 : args[2];
	this->len = strlen(args[0]->s) + sizeof (args[1]->t) + -args[2] + (args[3] << 2);
	this->joined = strjoin(args[0]->s, stringof(args[1]));
	this->ip = inet_ntoa(&args[0]->addr);
	this->cast = ((struct info *)args[0])->size + (int)args[1] + xlate <info_t *> (args[1])->size;
	printf("%s %d %p %Y %c %*d", args[0]->s, args[1]->d, args[2], args[3], args[4], args[5], args[6]);
	trace(args[0]);
	print(args[0]);
	tracemem(args[0], 16, args[1]);
	stack();
	exit(args[0]);
}

BEGIN
{
	started["text"] = 5;
	text = "text";
	printf("%d %d %s %d %d\n", started["text"], number, text, total, values[1]);
	@known["key", 1] = count();
	exit(0);
}

END
{
	printa("%s %d %@d\n", @by);
	printa("%s %d %@d %@d\n", @by, @known);
	printa("%s %d %@d %@d\n", @known, @by);
	printa(@times);
}
