/*
 * Arguments that point to functions, const void, pointers and incomplete types: some verifiers do
 * not let a program load them.
 */
rawtp:::kfree, rawtp:::kmem_cache_free, rawtp:::workqueue_execute_end, rawtp:::neigh_create { trace(arg0); trace(arg1); }
rawtp:::cpuhp_enter { trace(args[3]); }
rawtp:::xdp_redirect { trace(args[2]); }
rawtp:::kmem_cache_alloc, rawtp:::kmalloc { trace(args[1]); }
sdt:::kfree { @[arg1] = count(); }
