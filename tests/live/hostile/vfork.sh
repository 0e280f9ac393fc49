# A process has many threads that wait in vfork() and so do not stop. -p does not wait for each of
# them in turn.
. "$(dirname "$0")/hostile.bash"

cat >"$U/vforks.c" <<'C'
#include <pthread.h>
#include <stdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
static void *wait_in_vfork(void *unused)
{
	if (!vfork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	return unused;
}
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 40; i++)
		pthread_create(&t, NULL, wait_in_vfork, NULL);
	sleep(1);
	printf("ready\n");
	fflush(stdout);
	pause();
	return 0;
}
C
compile vforks -pthread
as_user "$U/vforks" >"$T/said"
wait_for "$T/said" ready || finish
run vfork -p $user_pid -n 'pid$target:a.out:main:entry { n++; } tick-10ms { exit(0); }'
ended vfork 0 20
for p in $(cat /proc/"$user_pid"/task/*/children); do kill -KILL "$p"; done
finish
