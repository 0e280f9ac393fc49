/*
 * ksim_c.h - ksim.h for the C compiler.
 *
 * Not to be mixed with the system's network headers: they declare other
 * structs of the same names.
 */
#ifndef ENGINE_REPLAY_KSIM_C_H
#define ENGINE_REPLAY_KSIM_C_H

#include <stdint.h>

#include "engine/replay/ksim.h"

#endif
