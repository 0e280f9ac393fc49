# -C: programs can include the headers of a C system, with the extensions of gcc, and structs have
# the layout of C.
. tests/cli/lib.bash
command -v cpp >/dev/null || skip 'no cpp here'

# forms.h has the constructions of the system's headers, each in a declaration of its own.
cat >"$tmp/forms.h" <<'EOD'
_Static_assert (sizeof (int) == 4, "int");
__extension__ typedef struct { long long quot; } lldiv_s __attribute__ ((__aligned__ (16)));
typedef int word_s __attribute__ ((__mode__ (__word__)));
typedef unsigned int byte_s __attribute__ ((__mode__ (__QI__)));
struct packed_s { char c; int i; } __attribute__ ((__packed__));
struct aligned_s { char c; __attribute__ ((aligned (8))) char d; };
struct deprecated_s { int i __attribute__ ((__deprecated__ ("no; not this"))); short s; };
typedef __builtin_va_list va_list_s;
extern int call_s (const char *__restrict __format, ...) __asm__ ("" "renamed") __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__format__ (__printf__, 1, 2)));
extern void *give_s (unsigned long __size) __attribute__ ((const)) __attribute__ (()) __attribute__ ((__malloc__ (call_s, 1)));
extern void (*handler_s (int __sig, void (*__handler) (int))) (int);
extern int pair_s (int __fd[2], char *__names[restrict static 2], __signed__ char __c);
extern long double wide_s (long double __x, _Float128 __y);
static __inline__ unsigned short swap_s (unsigned short __x)
{
	double d = 1.5e3; char c = '}';
	__asm__ __volatile__ ("rorw $8, %w0 }" : "=r" (__x) : "0" (__x) : "cc");
	for (;;) { if (c == '{') return ({ __x; }); }
}
extern __inline __attribute__ ((__gnu_inline__)) int before_s (void);
#ifdef __SIZEOF_INT128__
typedef __signed__ __int128 wide_int_s __attribute__ ((aligned (16)));
#endif
static inline int __attribute__ ((__const__)) empty_s (void) { }
enum { IPPROTO_TCP = 6, };
EOD
cat >"$tmp/forms.d" <<'EOD'
#include "forms.h"
BEGIN
{
	printf("%d %d %d %d %d %d\n", sizeof (word_s), sizeof (byte_s), sizeof (struct packed_s),
	    sizeof (struct aligned_s), sizeof (struct deprecated_s), sizeof (va_list_s));
	printf("%d %d\n", sizeof (lldiv_s), IPPROTO_TCP);
	exit(0);
}
EOD
run -C -qr $pcap -s "$tmp/forms.d"
err ''
status 0
out '8 1 5 16 8 8
8 6
'
# Constructions that only headers may use are still refused in a program.
echo 'static int x; BEGIN { }' >"$tmp/static.d"
run -C -qr $pcap -s "$tmp/static.d"
err "dtrace: failed to compile script $tmp/static.d: \"$tmp/static.d\", line 1: specified storage class not appropriate in D"
printf 'static inline int f(int x)\n{\n' >"$tmp/open.d"
run -C -qr $pcap -s "$tmp/open.d"
err "dtrace: failed to compile script $tmp/open.d: \"$tmp/open.d\", line 3: syntax error near end of input"
echo 'enum { IPPROTO_TCP = 7 }; BEGIN { }' >"$tmp/other.d"
run -C -qr $pcap -s "$tmp/other.d"
err "dtrace: failed to compile script $tmp/other.d: \"$tmp/other.d\", line 1: identifier redeclared: IPPROTO_TCP"

# The system's headers: each alone, and all in one script.
headers='sys/types.h sys/socket.h sys/stat.h sys/time.h sys/un.h sys/wait.h netinet/in.h netinet/tcp.h netinet/ip.h
	arpa/inet.h net/if.h linux/types.h linux/tcp.h linux/if_ether.h linux/icmp.h stdio.h stdlib.h string.h stdint.h
	stddef.h unistd.h errno.h fcntl.h signal.h time.h endian.h limits.h inttypes.h math.h netdb.h pthread.h'
found=0
for h in $headers; do
	printf '#include <%s>\n' $h >"$tmp/h.d"
	cpp "$tmp/h.d" >/dev/null 2>&1 || continue
	found=$((found + 1))
	echo 'BEGIN { exit(0); }' >>"$tmp/h.d"
	run -C -qr $pcap -s "$tmp/h.d"
	err ''
	status 0
	case $h in
	linux/tcp.h | linux/if_ether.h) ;; # defines structs that netinet/tcp.h defines too
	*) printf '#include <%s>\n' $h ;;
	esac >>"$tmp/all.d"
done
if [ $found -ge 20 ]; then # with fewer headers, no C library is installed to compile with
cat >>"$tmp/all.d" <<'EOD'
BEGIN
{
	printf("%d %d %d\n", sizeof (struct sockaddr_in), sizeof (struct sockaddr_in6), sizeof (struct sockaddr_un));
	printf("%d %d %d\n", sizeof (struct timeval), sizeof (struct tcphdr), sizeof (register_t));
	printf("%d %d %d\n", AF_INET6, O_WRONLY, EAGAIN);
	exit(0);
}
EOD
run -C -qr $pcap -s "$tmp/all.d"
err ''
out '16 28 110
16 20 8
10 1 11
'
fi
finish
