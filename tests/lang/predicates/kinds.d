/* args: -q */
/* A predicate is any scalar. '/' divides where no clause can begin after it. */
BEGIN { p = (int *)16; s = "abc"; d = 4; }
BEGIN /p/ { printf("a"); }
BEGIN /s == "abc" && s < "abd" && s != "ab"/ { printf("b"); }
BEGIN / 8 / d == 2 / { printf("c"); }
BEGIN /d/2 == 2/ { printf("d"); }
BEGIN /!(d - 4)/{ printf("e"); }
BEGIN /s == "x"/ { printf("never"); }
BEGIN /(char)256/ { printf("never"); }
BEGIN
/1/
{ printf("f\n"); exit(0); }
