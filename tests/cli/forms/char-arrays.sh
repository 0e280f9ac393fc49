#!/bin/bash
# Keys that are arrays of characters: every form shows all bytes, and a snapshot keeps them.
. tests/cli/lib.bash

cat >"$tmp/keys.d" <<'D'
struct s { char text[9]; int8_t inside[3]; uint8_t none[2]; };
struct s g;

BEGIN
{
	g.text[0] = 'a'; g.text[1] = 'b'; g.text[2] = 'c'; g.text[3] = 'd'; g.text[4] = 'e';
	g.text[5] = 'f'; g.text[6] = 'g'; g.text[7] = 'h'; g.text[8] = 'i';
	g.inside[0] = 'x'; g.inside[2] = 5;
	@[g.text, g.inside, g.none] = count();
	g.inside[2] = 6;
	@[g.text, g.inside, g.none] = count();
	g.inside[2] = 0;
	@[g.text, g.inside, g.none] = count();
	exit(0);
}
D

rows() { # rows FORM [ARGS]: the three keys in that form
	local form=$1

	shift
	succeeds -q -x "oformat=$form" "$@"
}

rows json -s "$tmp/keys.d"
for last in '\\u0005' '\\u0006'; do
	out_has "\"text\":\"abcdefghi\",\"inside\":\"x\\\\u0000\\$last\",\"none\":\"\"}"
done
out_has '"text":"abcdefghi","inside":"x","none":""}'
rows csv -s "$tmp/keys.d"
out_has '^abcdefghi,x\\x00\\x05,,1$'
out_has '^abcdefghi,x\\x00\\x06,,1$'
out_has '^abcdefghi,x,,1$'
rows prometheus -s "$tmp/keys.d"
out_has 'text="abcdefghi",inside="x\\\\x00\\\\x05",none=""} 1$'
out_has 'text="abcdefghi",inside="x\\\\x00\\\\x06",none=""} 1$'
out_has 'text="abcdefghi",inside="x",none=""} 1$'

# a merged snapshot prints as the run does
succeeds -q -s "$tmp/keys.d"
cp "$out" "$tmp/live"
run -q -x aggout="$tmp/snap" -s "$tmp/keys.d"
status 0
succeeds -q --merge "$tmp/snap"
equal 'merged keys' "$tmp/live" "$out"
finish
