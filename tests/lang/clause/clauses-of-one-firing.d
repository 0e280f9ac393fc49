/* args: -q */
/* Clauses of a firing see earlier effects: globals, this->, self->. exit() ends the firing after its clause. */
BEGIN { g = 1; this->t = 10; self->s = 100; this->str = "kept"; }
BEGIN /this->t == 10/ { this->t++; g++; self->s++; }
BEGIN /this->t == 10/ { printf("never\n"); }
BEGIN { printf("%d %d %d %s\n", g, this->t, self->s, this->str); exit(4); g = 50; this->t = 7; }
BEGIN { g = 60; printf("never\n"); }
END { printf("%d %d %d\n", g, this->t, self->s); }
