/*
 * proc.d - variables of the running thread.
 *
 * They are plain loads from the current task, on every hook and kernel. In probes that fire when a
 * packet is received, the task is the interrupted thread.
 */

inline pid_t pid = curthread->tgid;
inline id_t tid = curthread->pid;
inline pid_t ppid = curthread->real_parent->tgid;
inline uid_t uid = curthread->cred->uid.val;
inline gid_t gid = curthread->cred->gid.val;
inline string execname = stringof(curthread->comm);
