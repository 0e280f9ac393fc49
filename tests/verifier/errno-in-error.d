/* ERROR is told of the call in which a clause faulted, as that is: errno is the call's. */
ERROR
{
	@[errno] = count();
}

syscall::write:return
{
	self->x = *(int *)arg0;
}
