/*
 * fast.c - the interpreter without checks, for programs that are known to be valid, such as those
 * that dtrace's compiler makes.
 */
#define INTERP vm_exec_fast
#define LABELS vm_labels_fast
#define CHECK_STEP(at) ((void)(at), true)
#define FUSED VM_FUSE
#include "engine/vm/interp.h"
