# Processes of a user map a file with a very long path many times, and have stacks without mappings.
# So each read of their mappings takes long. The run still ends in time, its ticks come, and a line
# names the user.
. "$(dirname "$0")/hostile.bash"
PROCESSES=60

cat >"$U/many.c" <<'C'
#include "hostile.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
FAKE_CALL
int main(int argc, char **argv)
{
	struct fake_frame frame[20] = {0};
	char name[251] = {0};
	int fd;

	memset(name, 'd', 250);
	for (int i = 0; i < 15; i++)
		if (mkdir(name, 0700) | chdir(name))
			return 1;
	fd = open("f", O_RDWR | O_CREAT, 0600);
	if (ftruncate(fd, 4096))
		return 1;
	for (uintptr_t i = 0; i < 6000; i++)
		mmap((void *)(0x600000000000 + i * 8192), 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
	for (int i = 1; i < atoi(argv[1]) && fork(); i++)
		continue;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	printf("ready\n");
	fflush(stdout);
	for (uintptr_t n = 0;; n++) {
		for (int i = 0; i < 19; i++)
			frame[i] = (struct fake_frame){&frame[i + 1], (void *)(0x500000000000 + (n << 20) + 4096 * i)};
		fake_call(frame);
		usleep(20000);
	}
}
C
sed -i 's/#include <fcntl.h>/&\n#include <signal.h>/' "$U/many.c"
compile many
witness
as_user sh -c 'cd "$1" && exec ./many "$2"' sh "$U" $PROCESSES >"$T/said"
wait_for "$T/said" ready || finish
run records -x duration=12s -n 'syscall::getppid:entry /uid == $1/ { ustack(20); } tick-1s { printf("TICK\n"); }
	syscall::getppid:entry /pid == $2/ { @[ustack(1)] = count(); }' $HOSTILE_UID $witness_pid
ended records 0 60
[ "$(grep -c TICK "$T/records.out")" -ge 4 ] && echo "ok: $(grep -c TICK "$T/records.out") ticks" || fail 'no ticks'
shown records 'witness`innocent\+0x'
same 'a line names the user' 1 "$(grep -c "functions of user $HOSTILE_UID are shown as numbers: reading the mappings" "$T/records.err")"
run keys -x duration=3s -n 'syscall::getppid:entry /uid == $1/ { @[ustack(20)] = count(); }' $HOSTILE_UID
ended keys 0 60
finish
