/* args: -q */
/* Other systems have pragmas of their own. */
#pragma ident "@(#)old.d"
#pragma pack(1)
BEGIN { printf("ok\n"); exit(0); }
