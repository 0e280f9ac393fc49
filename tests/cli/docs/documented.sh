# Every probe of the providers in the loop below, every argument and every member has a description,
# and -lvv shows it.
. tests/cli/lib.bash

# Lists the members of the structs in the library texts, as "TYPE MEMBER". Reports each member
# without a description.
awk '
	/^typedef struct .*[{]/ { n = 0; next_type = 1; next }
	next_type && /^}/ { sub(/^} */, ""); sub(/;.*/, ""); for (i = 0; i < n; i++) print $0, member[i]; next_type = 0 }
	next_type && /^\t[a-z]/ {
		split($0, part, ";"); name = part[1]; sub(/\[.*/, "", name); sub(/.*[ *]/, "", name); member[n++] = name
		if ($0 !~ /;[ \t]*\/\* *[^ *]/) print "WRONG: no description: " FILENAME ": " name >"/dev/stderr"
	}' translators/*.d >"$tmp/members" 2>"$tmp/undescribed"
what='translators/*.d'
[ ! -s "$tmp/undescribed" ] || { wrong 'members without a description'; cat "$tmp/undescribed"; }
[ "$(wc -l <"$tmp/members")" -gt 130 ] || wrong 'too few members were found'
checks=$((checks + 2))

for provider in ip tcp udp udplite syscall; do
	probes=$provider:::
	[ $provider != syscall ] || probes='syscall::read:'
	if [ $provider = syscall ]; then
		run -lvvn "$probes"
		[ "$status" = 0 ] || { echo "not tried: $(cat "$err")"; continue; }
	else
		run -r $pcap -lvvn "$probes"
	fi
	status 0
	err ''
	# A probe has its description below "Description", an argument has it in its own line, and a
	# member has it in the next line.
	awk -v p=$provider '
		$2 == p && NF == 5 { if (probe && !described) print probe ": no description"; probe = $2 ":::" $5; described = 0 }
		/^\tDescription$/ { getline; described = /^\t\t[^ \t]/; next }
		/^\tArguments$/ { arguments = 1; members = 0; next }
		/^\tMembers$/ { members = 1; arguments = 0; next }
		/^$/ { arguments = members = 0 }
		arguments && /^\t\targs\[[0-9]\]: *$/ { print probe ": " $1 " no description" }
		members && /^\t\targs/ { name = $1; getline; if (!/^\t\t\t[^ \t]/) print probe ": " name " no description" }
		END { if (!described) print probe ": no description" }' "$out" >"$tmp/missing"
	[ ! -s "$tmp/missing" ] || { wrong 'probes or arguments without a description'; cat "$tmp/missing"; }
	# -lvv shows all members of an argument's type.
	awk '
		FNR == NR { count[$1]++; next }
		/^\tArgument Types$/ { split("", type); types = 1; next }
		/^$/ { types = members = 0 }
		types { i = $1; sub(/:/, "", i); type[i] = $2 }
		/^\tMembers$/ { members = 1; split("", shown); next }
		members && /^\t\targs/ { i = $1; sub(/->.*/, "", i); shown[i]++
			if (shown[i] > count[type[i]]) print i " has more than " type[i]; seen[i, type[i]] = 1; left[type[i]] = count[type[i]] - shown[i] }
		END { for (t in left) if (left[t]) print t " shows " left[t] " members too few" }' "$tmp/members" "$out" >"$tmp/missing"
	[ ! -s "$tmp/missing" ] || { wrong 'members that are not shown'; cat "$tmp/missing"; }
	checks=$((checks + 2))
done

run -r $pcap -lvvn tcp:::connect-refused
out_has '^	Description$'
out_has '^		A connection that this host began is refused'
out_has '^		args\[4\]: The header of a TCP segment'
out_has '^		args\[2\]->ip_plength: uint32_t$'
out_has '^			bytes of payload, '
# -lv describes a probe and omits the members of its arguments.
run -r $pcap -lvn tcp:::connect-refused
out_has '^		A connection that this host began is refused'
! grep -q -e '->' "$out" || wrong '-lv shows members'
finish
