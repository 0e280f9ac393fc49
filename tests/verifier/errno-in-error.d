/* ERROR runs in the system call in which a clause faulted, so errno is that call's. */
ERROR
{
	@[errno] = count();
}

syscall::write:return
{
	self->x = *(int *)arg0;
}
