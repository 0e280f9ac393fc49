/*
 * fast.c - the interpreter without checks, for programs that dtrace's compiler has made and that
 * are therefore valid.
 */
#define INTERP vm_exec_fast
#define LABELS vm_labels_fast
#define CHECK_STEP(at) ((void)(at), true)
#include "engine/vm/interp.h"
