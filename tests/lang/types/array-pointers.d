/* args: -q */
/*
 * A pointer from the name of an array writes to its elements. Writing past the end is a
 * fault.
 */
int g[3];
int h[3];
struct s { short v[2]; short w; } st;
this int l[2];
inline int at[int *p] = *p;
BEGIN { i = 3; h[0] = 7; st.w = 8; }
BEGIN { *(g + i - 1) = 1; *g = 2; (&g[1])[0] = 3; *(&g[i] - 3) += 4; *(1 + g) <<= 1; }
BEGIN { printf("%d %d %d %d\n", g[0], *(g + 1), (g + 1)[1], at[g + i - 2]); }
BEGIN { *(g + i) = 1; printf("not reached\n"); }
BEGIN { (g + 1)[i] = 1; printf("not reached\n"); }
BEGIN { (&g[i])[1] = 1; printf("not reached\n"); }
BEGIN { *(&g[0] - i) = 1; printf("not reached\n"); }
BEGIN { *(st.v + i - 1) = 1; printf("not reached\n"); }
BEGIN { *(this->l + i) = 1; printf("not reached\n"); }
BEGIN { printf("%d %d %d\n", h[0], st.w, *(st.v + 1)); exit(0); }
