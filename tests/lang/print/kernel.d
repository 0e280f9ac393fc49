/* args: -q */
/* ways: live */
/* A struct of the kernel's is copied whole; a function has a name. */
BEGIN
{
	print(curthread->sched_class->enqueue_task);
	this->fs = *curthread->fs;
	print(this->fs.users == curthread->fs->users && this->fs.pwd.dentry == curthread->fs->pwd.dentry);
	exit(0);
}
