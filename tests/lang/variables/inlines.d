/* args: -q */
/* An inline stands for its expression, with its declared type; with parameters, it is evaluated for the arguments. */
inline int N = 3;
inline int M = N * 2;
inline string word[int n] = n == 1 ? "one" : n == 2 ? "two" : "many";
inline long plus[int a, int b] = a + b;
inline uint8_t low = 0x1ff;
int x;
BEGIN { x = 5; printf("%d %d %s %s %s %d %d\n", N, M, word[1], word[x - 3], word[x], plus[x, N], low); exit(0); }
