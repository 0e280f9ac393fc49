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
 * Reads the owner from a comment's text, which ends before @end. If there are several lines of a
 * kind, only the first one is used; lines of unknown kinds are ignored. If a packet has several
 * comments, only the first one with a "PID: " line is used. After owner_option_read(), only a
 * comment with the same pid is used.
 */
void owner_comment_read(struct packet_owner *o, const char *text, const char *end);

/*
 * Sets the process from the packet's process option. If a comment named another process, discards
 * that comment's names.
 */
void owner_option_read(struct packet_owner *o, uint32_t pid);

#endif
