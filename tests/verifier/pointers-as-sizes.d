/* How many bytes: what says so may be a pointer, taken as a number. */
ip:::send { trace(alloca(arg1) != NULL); }
ip:::send { bcopy(curthread, alloca(64), arg1); }
ip:::send { trace(copyin(0, arg1) != NULL); }
ip:::send { copyinto(0, arg1, alloca(8)); }
