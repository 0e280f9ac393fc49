/*
 * Reads bytes of a kernel struct as another type: across members, within a pointer, past the end.
 */
BEGIN
{
	trace(inet_ntop(AF_INET6, curthread->cred));
	trace(inet_ntop(AF_INET6, &curthread->tasks));
	trace(inet_ntoa6(curthread->nsproxy));
	trace(inet_ntoa(curthread->nsproxy));
	trace(link_ntop(1, curthread->files->fdt));
	trace(link_ntop(32, curthread->fs));
	trace(cidr((struct in6_addr *)&curthread->se.load, "fe80::/10"));
}

rawtp:::sched_switch
{
	@[inet_ntop(AF_INET6, args[1]->fs), inet_ntoa(&args[1]->tasks)] = count();
}
