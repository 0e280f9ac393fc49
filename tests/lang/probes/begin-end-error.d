/* args: -q */
/* ways: live */
/* BEGIN is the first, END the last, after exit(); ERROR is where the fault is, and is told what it was. */
END { printf("end %d\n", n++); }
ERROR { printf("%d: %d %d %d %x\n", n++, arg2, arg3 != 0, arg4, arg5); }
BEGIN { printf("begin %d\n", n++); }
tick-10ms { printf("tick %d\n", n++); trace(*(int *)0x18); }
tick-10ms { n++; exit(0); }
