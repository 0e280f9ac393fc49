/* The process chooses the length. The verifier must see that it fits the memory. */
syscall::write:entry { @[copyinstr(arg1, arg2)] = count(); }
