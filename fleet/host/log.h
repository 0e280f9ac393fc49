/* log.h - type of the function that modules of the agent call to write to its log. */
#ifndef FLEET_HOST_LOG_H
#define FLEET_HOST_LOG_H

/* Writes a line to the log. @ctx was given together with the function; @fmt is as for printf(). */
typedef void log_fn(const void *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
