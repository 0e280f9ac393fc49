# At tick-N, arg0, an address in the kernel, is 0. arg1, an address in the process (dtrace), is not.
. tests/live/lib.bash

same 'exactly one of arg0 and arg1 is zero' 'yes no' "$("$DTRACE" -qn '
	tick-10ms { printf("%s %s", arg0 ? "no" : "yes", arg1 ? "no" : "yes"); exit(0); }')"
finish
