# arg0 and arg1 of tick-N: where the CPU was in the kernel or in a process, one of them.
. tests/live/lib.bash

same 'arg0, arg1 are zero' 'yes no' "$("$DTRACE" -qn '
	tick-10ms { printf("%s %s", arg0 ? "no" : "yes", arg1 ? "no" : "yes"); exit(0); }')"
finish
