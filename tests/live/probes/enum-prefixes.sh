# The names of one kernel enum are printed without one prefix in one place, and without another
# prefix elsewhere.
. tests/live/lib.bash

mkdir "$T/lib"
cat >"$T/lib/r.d" <<'END'
inline string reason[int r] = __enum_string("skb_drop_reason", "SKB_DROP_REASON_", r);
inline string longer[int r] = __enum_string("skb_drop_reason", "SKB_", r);
END
same 'a value of an enum is printed without either prefix' 'NO_SOCKET DROP_REASON_NO_SOCKET NO_SOCKET' \
	"$("$DTRACE" -L "$T/lib" -qn 'BEGIN { printf("%s %s %s", reason[3], longer[3], reason[3]); exit(0); }' 2>&1)"
finish
