/* args: -q */
/* ways: live */
/* A kernel struct is copied whole; a function prints its name. */
BEGIN
{
	print(curthread->sched_class->enqueue_task);
	this->fs = *curthread->fs;
	print(this->fs.users == curthread->fs->users && this->fs.pwd.dentry == curthread->fs->pwd.dentry);
	exit(0);
}
