/* Passes pointers, converted to numbers, as sizes. */
ip:::send { trace(alloca(arg1) != NULL); }
ip:::send { bcopy(curthread, alloca(64), arg1); }
ip:::send { trace(copyin(0, arg1) != NULL); }
ip:::send { copyinto(0, arg1, alloca(8)); }
