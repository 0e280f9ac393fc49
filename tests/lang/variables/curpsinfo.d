/* Members of curpsinfo, curlwpsinfo and curcpu equal the variables with the same meaning. In a
 * capture, a process has no priority: its nice value is 0. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid, curpsinfo->pr_uid == uid,
	    curpsinfo->pr_gid == gid);
	printf("%d %d %d\n", curpsinfo->pr_fname == execname, curpsinfo->pr_euid == uid, curpsinfo->pr_egid == gid);
	printf("%d\n", curpsinfo->pr_addr == (uintptr_t)curthread->group_leader);
	printf("%d %d %d %c\n", curlwpsinfo->pr_lwpid == tid, curlwpsinfo->pr_addr == (uintptr_t)curthread,
	    curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_sname);
	printf("%d %d %d %s\n", curlwpsinfo->pr_onpro == cpu, curlwpsinfo->pr_flag,
	    curlwpsinfo->pr_nice == (curthread->static_prio ? curthread->static_prio - 120 : 0),
	    curlwpsinfo->pr_clname);
	printf("%d %d\n", curcpu->cpu_id == cpu, curlwpsinfo->pr_name == execname);
	printf("%d %d\n", sizeof(curpsinfo->pr_pid), (*curpsinfo).pr_pid == pid);
	exit(0);
}
