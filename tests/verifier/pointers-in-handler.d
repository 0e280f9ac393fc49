/* ERROR is a function of its own in each program: pointers are numbers there, too, where numbers are wanted. */
ip:::send, ip:::receive { trace(*(int *)arg1); }
ERROR { trace((int)((struct task_struct *)curthread - epid)); trace((uint8_t)curthread->real_parent | 1); }
ERROR /(short)curthread->group_leader > 3/ { trace(-(uint64_t)curthread % 3); @[(uint64_t)curthread & 7] = count(); }
