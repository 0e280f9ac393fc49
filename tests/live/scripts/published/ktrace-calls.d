/* Like ktrace.d, but shows only system calls, and no functions of the kernel. */
#pragma D option flowindent
syscall::$1:entry /pid == $target/ { self->flag = 1; }
syscall::: /self->flag/ { }
syscall::$1:return /self->flag/ { self->flag = 0; exit(0); }
