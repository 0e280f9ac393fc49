/* args: -q */
/* A constant index whose byte offset exceeds 64 bits wraps around, like the offset of a variable index. */
struct row { int a; short b; long v[4]; struct row *next; };

BEGIN { this->p = (struct row *)16; trace(this->p[0x7fffffffffffffff].b); }
BEGIN { this->p = (struct row *)16; this->i = 0x7fffffffffffffff; trace(this->p[this->i].b); }
BEGIN { exit(0); }
