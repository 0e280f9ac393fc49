/* args: -r tests/pcap/empty.pcap -q */
inline int LIMIT = 3 * 4;
inline string WORD = "word";
inline string kind[int s] = s == 1 ? "a" : s == 2 ? "b" : "other";
inline int twice[int v] = v * 2;

BEGIN { printf("%d %s %s %s %s %d\n", LIMIT, WORD, kind[1], kind[2], kind[3], twice[twice[3]]); }
