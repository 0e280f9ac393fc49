/*
 * ksim_c.h - includes ksim.h for the C compiler, with the definitions that ksim.h needs.
 *
 * Do not include this file together with the system's network headers, which declare other structs
 * with the same names.
 */
#ifndef ENGINE_REPLAY_KSIM_C_H
#define ENGINE_REPLAY_KSIM_C_H

#include <stdint.h>

#include "engine/replay/ksim.h"

#endif
