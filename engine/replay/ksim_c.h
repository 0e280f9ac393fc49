/*
 * ksim_c.h - ksim.h for the C compiler.
 *
 * Do not include it together with the system's network headers, which declare other structs with
 * the same names.
 */
#ifndef ENGINE_REPLAY_KSIM_C_H
#define ENGINE_REPLAY_KSIM_C_H

#include <stdint.h>

#include "engine/replay/ksim.h"

#endif
