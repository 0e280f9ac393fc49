/* Indexes and sums that the verifier cannot prove to stay within an object. */
rawtp:::sched_switch { i = 2; trace(args[1]->comm[i]); trace(args[1]->comm[cpu]); trace(args[1]->comm[15]); }
rawtp:::netif_receive_skb
{
	i = cpu;
	trace(args[0]->cb[i]);
	trace(args[0]->cb[cpu]);
	trace(args[0]->cb[i - 1]);
	trace(args[0]->head[i]);
	trace(args[0]->dev->name[i]);
	trace(inet_ntoa((ipaddr_t *)(args[0]->head + i)));
	tracemem(args[0] + 1, 8);
	tracemem(args[0]->sk, 8);
}
BEGIN
{
	p = curthread + pid;
	trace(p->pid);
	trace((curthread + 1000000)->pid);
	trace((curthread - 1)->pid);
	trace(curthread[1].pid);
	trace(curthread[pid].pid);
	trace(*(int *)((char *)curthread + pid));
	trace(((struct task_struct *)((long)curthread & ~7))->pid);
	trace((pid ? curthread : NULL)->pid);
	this->a = &curthread->comm[2];
	trace(stringof(this->a));
	trace(this->a[3]);
	trace(stringof(curthread->comm + 1));
}
