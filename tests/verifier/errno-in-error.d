/* ERROR runs in the call in which a clause faulted: errno is that call's. */
ERROR
{
	@[errno] = count();
}

syscall::write:return
{
	self->x = *(int *)arg0;
}
