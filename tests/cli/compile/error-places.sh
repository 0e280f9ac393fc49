# An error names the user's line and column: in scripts, included files, macros, definitions and
# command lines.
. tests/cli/lib.bash
cd "$tmp" || exit 1

place() { # place ARGS... -- WHERE COLUMN: message at WHERE, caret at COLUMN
	local args=()
	while [ "$1" != -- ]; do args+=("$1"); shift; done
	what="dtrace ${args[*]}" checks=$((checks + 1))
	timeout 300 "$DTRACE" -e -x nohint=off "${args[@]}" >"$out" 2>"$err" </dev/null
	status=$?
	status 1
	grep -q -- ": $2" "$err" || wrong "not at $2: $(head -n 1 "$err")"
	[ "$(grep '^ *^$' "$err" | head -n 1 | wc -c)" = $(($3 + 5)) ] ||
		wrong "not in column $3: $(cat "$err")"
}

printf '/* more */\ninline int known = 3 +\n   nosuch;\n' >inc.h
printf '#include "inc.h"\nBEGIN { trace(1); }\n' >included.d
place -C -s included.d -- '"inc.h", line 3: failed to resolve nosuch:' 4

printf '#define M(x) trace(x + \\\n nosuch)\nBEGIN\n{\n\ttrace(1);\n\tM(2);\n}\n' >macro.d
place -C -s macro.d -- '"macro.d", line 6: failed to resolve nosuch:' 12

printf '#ifdef X\nBEGIN { trace(nosuch); }\n#endif\n' >ifdef.d
place -C -DX -s ifdef.d -- '"ifdef.d", line 2: failed to resolve nosuch:' 15

printf '# 40 "other.d"\nBEGIN\n{ trace(nosuch); }\n' >marker.d
place -s marker.d -- '"other.d", line 41: failed to resolve nosuch:' 9

printf 'struct in { int a; }; struct out { int b; };\ntranslator struct out < struct in *I > {\n\tb =\n  I->nosuch;\n};\nBEGIN { }\n' >xlate.d
place -s xlate.d -- 'line 4: nosuch is not a member of struct in' 4

printf 'inline int f[int x] = x +\n  "a";\nBEGIN { trace(f[1]); }\n' >inline.d
place -s inline.d -- 'line 1: operands have incompatible types' 25

printf 'inline string f[int x] = x > 1 ? "a" : "b";\nBEGIN {\n trace(1 +\n f[1]); }\n' >use.d
place -s use.d -- 'line 3: operands have incompatible types' 10

printf 'BEGIN\n/ 1 &&\n  nosuch /\n{\n}\n' >predicate.d
place -s predicate.d -- 'line 3: failed to resolve nosuch:' 3

printf 'BEGIN\n{\n\tx = 1;\n\ty = x\n\t    + $1;\n}\n' >argument.d
place -s argument.d '"text"' -- 'line 5: operands have incompatible types' 13
place -s argument.d nosuch -- 'line 5: failed to resolve nosuch:' 15

printf 'BEGIN\n{\n\t@a[1,\n\t  nosuch] = count();\n}\n' >key.d
place -s key.d -- 'line 4: failed to resolve nosuch:' 11

place -n 'BEGIN
{ trace(1);
  trace(nosuch); }' -- 'in action list: failed to resolve nosuch:' 9
place -n 'BEGIN /1 + nosuch/ { }' -- 'in predicate: failed to resolve nosuch:' 12
place -n 'tcp:::send, tcp:::nosuch { }' -- 'probe description tcp:::nosuch does not match' 13

cd "$OLDPWD" || exit 1
# Only the first error is reported.
run -r /dev/null -e -n 'BEGIN { trace(first); trace(second); } nosuch:::probe { }'
status 1
one_line_of_stderr
err_has 'failed to resolve first'
finish
