# The arguments of a program whose arguments and environment end less than 80 bytes after they begin.
. "$(dirname "$0")/../lib.bash"

cp "$(command -v sleep)" "$T/shorty"
cat >"$T/run" <<'R'
cd "$1" && for i in 1 2 3; do env -i ./shorty 0; env -i ./shorty 0.0 0; done
R
timeout 120 "$DTRACE" -qn 'proc:::exec-success /progenyof($target) && execname == "shorty"/ { printf("[%s]\n", execargs); }' \
	-c "sh $T/run $T" >"$T/out" 2>"$T/err"
sed -i '/^$/d' "$T/out"
for i in 1 2 3; do printf '[./shorty 0]\n[./shorty 0.0 0]\n'; done >"$T/want"
same_files 'arguments without an environment behind them' "$T/want" "$T/out"
cat "$T/err"
finish
