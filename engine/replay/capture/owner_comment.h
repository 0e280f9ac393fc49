/*
 * owner_comment.h - owners of packets in the comments of a pcapng file.
 *
 * ptcpdump and dtrace write the process that a packet belongs to as lines of a comment, for
 * example "PID: 1234" and "Cmd: /usr/bin/curl".
 */
#ifndef ENGINE_REPLAY_CAPTURE_OWNER_COMMENT_H
#define ENGINE_REPLAY_CAPTURE_OWNER_COMMENT_H

#include <stdint.h>

struct packet_owner;

/* Makes the owner of a packet unknown. */
void owner_begin(struct packet_owner *o);

/*
 * Reads the owner from a comment's text, which ends before @end. The first line of each kind
 * counts; other lines are ignored. Uses only the packet's first comment with a "PID: " line. After
 * owner_option_read(), uses only a comment with the same pid.
 */
void owner_comment_read(struct packet_owner *o, const char *text, const char *end);

/*
 * Sets the process from the packet's process option. If a comment named another process, discards
 * that comment's names.
 */
void owner_option_read(struct packet_owner *o, uint32_t pid);

#endif
