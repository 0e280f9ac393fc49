# The manual has a page for the command, the language, each provider and each script, without warnings from mandoc.
. tests/package/lib.bash
what="cmake --install"
cmake --install "$build" --prefix "$tmp/p" >"$out" 2>"$err" || { wrong "cmake --install"; cat "$out" "$err"; }
man=$tmp/p/share/man

page() { # page NAME.SECTION: checks that the page exists; sets $text to the formatted page
	what=$1 checks=$((checks + 1))
	text=$tmp/text
	[ -f "$man/man${1##*.}/$1.gz" ] || { wrong 'no such page'; : >"$text"; return; }
	MANWIDTH=100 man --warnings -M "$man" "${1##*.}" "${1%.*}" 2>"$tmp/warnings" | col -bx >"$text"
	[ ! -s "$tmp/warnings" ] || { wrong 'warnings'; head -n 3 "$tmp/warnings"; }
}
has() {
	checks=$((checks + 1))
	grep -q -- "$1" "$text" || wrong "does not say: $1"
}

command -v man >/dev/null || skip "there is no man"
page dtrace.8
page d.7
for provider in providers/*/; do
	provider=${provider%/} provider=${provider##*/}
	[ $provider = replay ] && continue
	page dtrace-$provider.4
	has "$provider[A-Z]*:" # the pages write pidN
done
page dtrace-tcp.4
for name in $(sed -n '/^typedef struct tcpsinfo/,/^}/s/.*[ *]\(tcps_[a-z0-9_]*\);.*/\1/p' translators/tcp.d); do
	has "^ *$name "
done
has 'retransmission timeout in milliseconds'
has 'args\[5\] tcplsinfo_t'
has 'TCP_STATE_ESTABLISHED'
has "dtrace -n 'tcp:::"
for script in scripts/*.d; do
	script=${script##*/}
	page "dtrace-${script%.d}.8"
	has "dtrace ${script%.d}"
done
page dtrace-tcplife.8
has "a line for every TCP connection when it ends"
has 'PID COMMAND'

if command -v mandoc >/dev/null; then
	find "$man" -name '*.gz' | while read -r page; do
		gzip -dc "$page" >"$tmp/page"
		grep -q '^\.so ' "$tmp/page" || mandoc -T lint -W warning <"$tmp/page" | sed "s,^,${page##*/}: ,"
	done >"$tmp/lint"
	what=mandoc checks=$((checks + 1))
	[ ! -s "$tmp/lint" ] || { wrong 'finds faults'; head -n 10 "$tmp/lint"; }
fi
finish
