# Published programs run as printed, or are refused because of a missing feature. The test prints
# the numbers of both.
. "$(dirname "$0")/../lib.bash"
list=$LIVE/scripts/published.txt
declare -A count=([replay]=0 [live]=0 [command]=0 [lacks]=0)
lacking=

dtrace() {
	case $kind in
	replay) timeout 300 "$DTRACE" -r "$LIVE/../pcap/$what.pcap" "$@" ;;
	*) timeout 300 "$DTRACE" "$@" ;;
	esac
}

# Runs the collected program and checks for the lines that it must print.
try() {
	[ -n "$name" ] || return
	rm -f "$T/out.kern_stacks"
	(eval "$program") >"$T/out" 2>"$T/err" </dev/null
	status=$?
	case $kind in
	lacks)
		[ $status != 0 ] || fail "$name: runs, though it lacks $what: its row is to be changed"
		lacking+=" $what"
		;;
	*) [ $status = 0 ] || fail "$name: status $status: $(head -n 3 "$T/err")" ;;
	esac
	for want in "${wants[@]}"; do
		grep -Eq -- "${want#* }" "$T/${want%% *}" || fail "$name: no line like $want: $(head -n 20 "$T/${want%% *}")"
	done
	count[$kind]=$((${count[$kind]} + 1))
}

name= program=
while IFS= read -r line; do
	case $line in
	'#'*) ;;
	'= '*)
		try
		name=${line#= } kind= what= program= wants=()
		;;
	'') ;;
	replay\ * | live | command | lacks\ *) kind=${line%% *} what=${line#* } ;;
	err\ * | out\ *) wants+=("$line") ;;
	*) program+=${program:+$'\n'}$line ;;
	esac
done <"$list"
try
echo "$((count[replay] + count[live] + count[command])) run (${count[live]} live, ${count[replay]} on captures," \
	"${count[command]} listings); ${count[lacks]} cannot, because these are not here:" \
	"$(tr ' ' '\n' <<<"$lacking" | grep . | sort | uniq -c | awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }')"
[ $((count[replay] + count[live] + count[command])) -ge 30 ] || fail 'programs were left out'
finish
