#pragma D option quiet
#pragma D option nspec=2
#pragma D option cleanrate=5hz
/* The default is one speculation; a program may ask for more. */
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); exit(0); }
