/* args: -q */
/* ways: live */
/* The statements of the talk's first table, unchanged. */
dtrace:::BEGIN {}
BEGIN { 1 }
BEGIN /arg0 >= 0/ { 1 }
BEGIN { @ = count() }
BEGIN { @k[pid >= 0] = count() }
BEGIN { @s[probename] = count() }
BEGIN { @t[pid >= 0, probename] = count() }
BEGIN { @q = quantize(strlen(probename)) }
BEGIN { self->s = timestamp }
BEGIN /self->s/ { @h = quantize(timestamp < self->s); self->s = 0; }
BEGIN { printf("%d bytes\n", 17); }
BEGIN { @two[1]  = count();; }
BEGIN { exit(0) }
