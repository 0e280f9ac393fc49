# If a provider is added to the library, -l, shell completion, the --help of scripts, and dwatch all
# know it, because no other file has a list of providers. The test adds a provider, rebuilds the
# library, and links it to the build's objects.
. tests/cli/lib.bash
build=$(dirname "$(realpath "$DTRACE")")
link=$build/CMakeFiles/dtrace.dir/link.txt
[ -f "$link" ] || { echo "SKIP: $build has no $link"; exit 77; }

# fresh_x is a copy of the provider udplite.
mkdir -p "$tmp/providers/fresh_x" "$tmp/bin"
sed 's/provider udplite/provider fresh_x/; s/^udplite:::/fresh_x:::/' providers/udplite/udplite.d >"$tmp/providers/fresh_x/fresh_x.d"

# The build's texts in their order, followed by the new one.
texts=$(sed -n 's/^\t{"\(.*\)", text_.*/\1/p' "$build/library_texts.c")
cmake -D "OUT=$tmp/texts.c" -D "FILES=$(echo $texts "$tmp/providers/fresh_x/fresh_x.d" | tr ' ' ';')" \
	-D KSIM=engine/replay/ksim.h -D FLAME="$(sed -n 's/.*FLAME=\([^ ]*\).*/\1/p' CMakeLists.txt)" -P tools/embed.cmake &&
	"$build/libindex" "$tmp/index.c" engine/replay/ksim.h $texts "$tmp/providers/fresh_x/fresh_x.d" &&
	cc -fPIE -I. -c "$tmp/texts.c" -o "$tmp/texts.o" &&
	cc -fPIE -I. -c "$tmp/index.c" -o "$tmp/index.o" &&
	(cd "$build" && sh -c "$(sed "s, -o dtrace , $tmp/texts.o $tmp/index.o -o $tmp/bin/dtrace ," "$link")") || exit 1
ln -s "$PWD/scripts" "$tmp/bin/scripts"
ours=$DTRACE
export DTRACE=$tmp/bin/dtrace PATH=$tmp/bin:$PATH

run --complete providers
sort -u "$out" >"$tmp/with"
"$ours" --complete providers | sort -u >"$tmp/without"
comm -13 "$tmp/without" "$tmp/with" >"$tmp/added"
echo fresh_x >"$tmp/wanted"
equal 'the list has the new provider' "$tmp/wanted" "$tmp/added"
succeeds -r tests/pcap/udp.pcap -lP fresh_x
out_has ' fresh_x .* send$'
run --complete probes
out_has '^fresh_x:::receive$'
run --complete members fresh_x:::send
out_has '^args\[4\]->udplite_coverage$'

# Completion offers each provider that -l lists, live or for a capture.
{
	"$DTRACE" -l 2>/dev/null
	"$DTRACE" -l -r tests/pcap/udp.pcap
} | awk '$1 ~ /^[0-9]+$/ { print $2 }' | sort -u >"$tmp/listed"
what='-l and the completion'
comm -23 "$tmp/listed" "$tmp/with" >"$tmp/missing"
checks=$((checks + 1))
[ -s "$tmp/listed" ] && [ ! -s "$tmp/missing" ] || wrong "no completion for: $(xargs <"$tmp/missing")"

# Completion in the shells.
complete_bash() {
	bash --norc -c '
		. tools/packaging/completion/dtrace.bash
		compopt() { :; }
		COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=(dtrace) COMP_CWORD=0
		_dtrace
		printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}
has() { # has WANT LINE
	checks=$((checks + 1))
	what="completion of: $2"
	complete_bash "$2" | grep -qxF -- "$1" || wrong "does not offer $1"
}
has fresh_x 'dtrace -P fr'
has receive 'dtrace -n fresh_x:::re'
has "fresh_x:::send { trace(args[4]->udplite_coverage" "dtrace -n 'fresh_x:::send { trace(args[4]->udplite_cov"
# zsh and fish ask dtrace as bash does (tests/package/completion.sh). No shell file contains
# provider names.
what='names of providers in the completion'
checks=$((checks + 1))
while read -r name; do
	! grep -nE "\b$name\b" tools/packaging/completion/* || wrong "names $name"
done < <(grep -vx -e replay -e profile -e dtrace "$tmp/without") # the shell files use these words in other meanings

# Packet filters apply to scripts for the new provider.
cat >"$tmp/new.d" <<'END'
/*
 * new.d - datagrams by process.
 */
fresh_x:::send
{
	@[args[1]->cs_execname] = count();
}
END
succeeds --help -s "$tmp/new.d"
out_has '^-x port='
sed -i 's/fresh_x:::send/lockstat:::spin-spin/' "$tmp/new.d"
succeeds --help -s "$tmp/new.d"
out_has '^-x execname=.* -x user='

# dwatch shows the owner of the socket, not the interrupted process.
what='dwatch fresh_x:::send'
checks=$((checks + 1))
sh scripts/dwatch/dwatch -d fresh_x:::send >"$out" 2>"$err"
grep -q 'args\[1\]->cs_execname' "$out" || { wrong 'the program does not read the owner of the socket'; head -n 20 "$out" "$err"; }
what='dwatch proc:::exec'
checks=$((checks + 1))
sh scripts/dwatch/dwatch -d proc:::exec >"$out" 2>"$err"
! grep -q 'cs_execname' "$out" || wrong 'the program reads the owner of a socket'
finish
