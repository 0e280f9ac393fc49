/* args: -q -x scratchsize=64 */
/*
 * The next clause can use the memory of a clause again. Allocating more than scratchsize causes a
 * fault.
 */
BEGIN { this->a = alloca(40); this->b = alloca(17); printf("57 of 64\n"); }
BEGIN { this->a = alloca(64); printf("64 of 64\n"); }
BEGIN { this->a = alloca(65); printf("no\n"); }
BEGIN { this->a = alloca(40); this->b = alloca(25); printf("no\n"); }
BEGIN { n = 33; this->a = alloca(n - 1); this->b = alloca(n - 1); printf("32 and 32\n"); }
BEGIN { this->a = alloca(n); this->b = alloca(n); printf("no\n"); }
BEGIN { this->a = alloca(-n); printf("no\n"); }
BEGIN { this->a = alloca(0); printf("0 of 64\n"); exit(0); }
