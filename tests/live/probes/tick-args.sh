# arg0 and arg1 of tick-N: the address in the kernel or in the process. Exactly one is not 0.
. tests/live/lib.bash

same 'exactly one of arg0 and arg1 is zero' 'yes no' "$("$DTRACE" -qn '
	tick-10ms { printf("%s %s", arg0 ? "no" : "yes", arg1 ? "no" : "yes"); exit(0); }')"
finish
