/*
 * proc.d - variables of the running thread.
 *
 * They work at every hook and on every kernel, because they only read the current task. When a
 * packet is received, the running thread is the thread that the packet interrupted.
 */

inline pid_t pid = curthread->tgid;
inline id_t tid = curthread->pid;
inline pid_t ppid = curthread->real_parent->tgid;
inline uid_t uid = curthread->cred->uid.val;
inline gid_t gid = curthread->cred->gid.val;
inline string execname = stringof(curthread->comm);
