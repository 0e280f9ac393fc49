/*
 * Arrays and thread variables of strings: in clauses that hooks of all kinds may interrupt, with
 * keys in registers and in memory, and strings of several sizes.
 */
string s[int], t[string, int], u[pid_t];
self string last;
int n[string];

BEGIN
{
	s[1] = "begin";
	t["x", 1] = s[1];
}

syscall::read:entry
{
	self->last = execname;
	s[tid] = strjoin(execname, lltostr(arg2));
	u[pid] = probefunc;
	n[execname]++;
}

syscall::read:return
/self->last != NULL/
{
	@[self->last, s[tid], u[pid]] = sum(n[self->last]);
	t[self->last, pid] = s[tid];
	self->last = NULL;
	s[tid] = NULL;
}

tcp:::send
{
	t[execname, args[4]->tcp_dport] = args[2]->ip_daddr;
}

ip:::receive
{
	@r[t[args[2]->ip_daddr, 1] == NULL ? "none" : t[args[2]->ip_daddr, 1]] = count();
}

rawtp:::sched_switch
{
	s[cpu] = execname;
	trace(s[cpu]);
}

profile-97
{
	s[-1] = execname;
	u[pid] = s[cpu] == NULL ? "idle" : s[cpu];
}

END
{
	printf("%s %s", s[1], t["x", 1]);
}
