/* ERROR is a separate function in each program. Pointers convert to numbers there, too. */
ip:::send, ip:::receive { trace(*(int *)arg1); }
ERROR { trace((int)((struct task_struct *)curthread - epid)); trace((uint8_t)curthread->real_parent | 1); }
ERROR /(short)curthread->group_leader > 3/ { trace(-(uint64_t)curthread % 3); @[(uint64_t)curthread & 7] = count(); }
