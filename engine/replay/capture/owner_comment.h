/*
 * owner_comment.h - owners of packets in the comments of a pcapng file.
 *
 * ptcpdump and dtrace write the process that a packet belongs to as lines of a comment, for
 * example "PID: 1234" and "Cmd: /usr/bin/curl".
 */
#ifndef REPLAY_OWNER_COMMENT_H
#define REPLAY_OWNER_COMMENT_H

struct packet_owner;

/* Clears all names of @o, but not its pid. */
void owner_comment_begin(struct packet_owner *o);

/*
 * Fills members of @o from the lines of a comment's text, which ends before @end. The first line of
 * each kind counts, also over several comments of a packet. Other lines are ignored.
 */
void owner_comment_read(struct packet_owner *o, const char *text, const char *end);

#endif
