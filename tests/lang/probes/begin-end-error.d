/* args: -q */
/* ways: live */
/*
 * BEGIN is first; END is last, after exit(). ERROR fires at the fault, with the fault's arguments.
 */
END { printf("end %d\n", n++); }
ERROR { printf("%d: %d %d %d %x\n", n++, arg2, arg3 != 0, arg4, arg5); }
BEGIN { printf("begin %d\n", n++); }
tick-10ms { printf("tick %d\n", n++); trace(*(int *)0x18); }
tick-10ms { n++; exit(0); }
