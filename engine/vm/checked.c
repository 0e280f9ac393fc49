/*
 * checked.c - the interpreter of checked machines, which calls vm_check_step() before each
 * instruction.
 */
#define INTERP vm_exec_checked
#define LABELS vm_labels_checked
#define CHECK_STEP(at) vm_check_step(ex, r, at)
#include "engine/vm/interp.h"
