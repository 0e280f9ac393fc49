# The names of one kernel enum are printed without one prefix in one place, and without another
# prefix elsewhere. The error for an impossible use lists the possible uses.
. tests/live/lib.bash

mkdir "$T/lib"
cat >"$T/lib/r.d" <<'END'
inline string reason[int r] = __enum_string("skb_drop_reason", "SKB_DROP_REASON_", r);
inline string longer[int r] = __enum_string("skb_drop_reason", "SKB_", r);
END
same 'a value of an enum is printed without either prefix' 'NO_SOCKET DROP_REASON_NO_SOCKET NO_SOCKET' \
	"$("$DTRACE" -L "$T/lib" -qn 'BEGIN { printf("%s %s %s", reason[3], longer[3], reason[3]); exit(0); }' 2>&1)"

compile() { # compile STATEMENTS: prints "yes" if the statements compile, else what dtrace says
	"$DTRACE" -en "tcp:::drop { $1 }" 2>&1 && echo yes
}
name='args[5]->drop_reason'
for use in "trace($name);" "@[$name] = count();" "a[$name] = 1;" "trace($name == \"x\");" \
	"trace(strjoin($name, \"x\"));" "@[strjoin($name, \"x\")] = count();"; do
	same "$use" yes "$(compile "$use")"
done
for use in "x = $name;" "trace(strlen($name));" "a[strjoin($name, \"x\")] = 1;" "trace($name < \"x\");"; do
	said=$(compile "$use")
	same "$use" 'the name of a kernel constant can be printed, be a key or be compared with a literal; a strjoin() of it can be printed or be a key of an aggregation' \
		"${said##*in action list: }"
done
finish
