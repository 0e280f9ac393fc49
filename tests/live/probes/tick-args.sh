# At tick-N, arg0 is an address in the kernel and arg1 is an address in the process. Exactly one of the
# two is not 0.
. tests/live/lib.bash

same 'exactly one of arg0 and arg1 is zero' 'yes no' "$("$DTRACE" -qn '
	tick-10ms { printf("%s %s", arg0 ? "no" : "yes", arg1 ? "no" : "yes"); exit(0); }')"
finish
