/*
 * owner_comment.h - reads the owners of packets from the comments of a pcapng file.
 *
 * ptcpdump and dtrace write the process that a packet belongs to as lines of a comment, for example
 * "PID: 1234" and "Cmd: /usr/bin/curl".
 */
#ifndef ENGINE_REPLAY_CAPTURE_OWNER_COMMENT_H
#define ENGINE_REPLAY_CAPTURE_OWNER_COMMENT_H

#include <stdint.h>

struct packet_owner;

/* Makes the owner of a packet unknown. */
void owner_begin(struct packet_owner *o);

/*
 * Reads the owner from a comment's text, which ends before @end. Uses the first line of each kind,
 * and ignores lines of unknown kinds. If a packet has several comments, uses only the first one
 * with a "PID: " line. After owner_option_read(), uses only a comment with the same pid.
 */
void owner_comment_read(struct packet_owner *o, const char *text, const char *end);

/*
 * Sets the process from the packet's process option. If a comment named another process, discards
 * that comment's names.
 */
void owner_option_read(struct packet_owner *o, uint32_t pid);

#endif
