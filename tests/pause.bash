# pause.bash - waits that execute no program. In a guest (vm/run), a loop of grep(1) and sleep(1)
# takes half of the emulated CPU from the process that it waits for.
never=$(mktemp -d) && mkfifo "$never/fifo" || exit 1
# Nobody writes to this pipe.
exec {silent}<>"$never/fifo"
rm -r "$never"

# pause SECONDS: sleeps. In a guest, it sleeps for at least 0.3 seconds. An emulator needs long for a
# subshell, and with shorter sleeps, bash took a fifth of the guest's busy time in a run of pktway.
#
# The subshell protects the caller from a fault of bash 5.2. If the timeout of "read -t" ends before
# bash waits, bash restores a signal mask that it has not saved. This mask may block any signal. If it
# blocks SIGCHLD, bash does not notice when a process ends.
pause() {
	[[ -z ${IN_VM:-} || $1 != 0.[012]* ]] || set -- 0.3
	(read -rt "$1" -u "$silent")
}

# has FILE TEXT: succeeds if TEXT is in the file, before any NUL
has() {
	local text=''

	{ IFS= read -rd '' text <"$1"; } 2>/dev/null
	[[ $text = *"$2"* ]]
}
