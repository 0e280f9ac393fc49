/* args: -q */
/* Pragmas of other systems are accepted. */
#pragma ident "@(#)old.d"
#pragma pack(1)
BEGIN { printf("ok\n"); exit(0); }
