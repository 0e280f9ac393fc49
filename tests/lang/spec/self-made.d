/* args: -q -x nspec=2 */
/* A clause may create a speculation, use it and end it. */
BEGIN { this->s = speculation(); speculate(this->s); printf("all in one: %d\n", this->s); commit(this->s); }
BEGIN { this->t = speculation(); speculate(this->t); printf("not this\n"); discard(this->t); }
BEGIN { printf("%d\n", speculation()); exit(0); }
