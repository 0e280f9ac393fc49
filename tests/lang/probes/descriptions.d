/* args: -q */
/* A description may lack fields on its left; an empty field matches all; globs. */
dtrace:::BEGIN { printf("a"); }
:::BEGIN { printf("b"); }
::BEGIN { printf("c"); }
:BEGIN { printf("d"); }
BEGIN { printf("e"); }
dtr*e:::BE?IN { printf("f"); }
[a-d]trace:::[BX]EGIN { printf("g"); }
dtrace:::[!E]* { printf("h"); }
BEGIN, dtrace:::BEGIN { printf("i"); }
dtrace:::\BEGIN { printf("j"); }
dtrace::: /probename == "BEGIN"/ { printf("k"); }
d*:::B* { printf("l\n"); exit(0); }
