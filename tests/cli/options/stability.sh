# -v prints the stability of a program and of all its descriptions together. -e -v prints the
# stability of each description.
. tests/cli/lib.bash

attributes() { # attributes TITLE NAMES DATA CLASS
	printf '\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n' "$@"
}

report() { # report WHAT, then the two sets of attributes
	printf '\nStability attributes for %s:\n\n' "$1"
	attributes 'Minimum Probe Description Attributes' $2
	echo
	attributes 'Minimum Statement Attributes' $3
}

evolving='Evolving Evolving ISA' stable='Stable Stable Common' private='Private Private Unknown'

# The match line goes to standard error. The report goes to standard output, before all data.
run -r $pcap -v -n 'BEGIN{ trace(curthread != NULL); exit(0); }'
status 0
err "dtrace: description 'BEGIN' matched 1 probe"
out "$(report 'description BEGIN' "$stable" 'Stable Private Common')

CPU     ID                    FUNCTION:NAME
  0      N                           :BEGIN         1
"

run -r $pcap -qv -n 'ip:::receive { n++; }'
status 0
out "$(report 'description ip:::receive ' "$evolving" "$stable")

"

# A script has the lowest stability of its clauses. An inline has the stability of its expression. A
# library name has its declared stability.
cat >"$tmp/s.d" <<'D'
#pragma D option quiet
#pragma D attributes Unstable/Evolving/Group known
inline int known = 4;
inline string from = args[2]->ip_saddr;
BEGIN { x = pid + known; exit(0); }
ip:kernel::receive /from == "10.0.0.1"/ { }
D
run -r $pcap -v -s "$tmp/s.d"
status 0
out "$(report "script $tmp/s.d" "$private" 'Unstable Evolving Group')

"

# -o also receives the report.
run -r $pcap -qv -o "$tmp/o" -n 'udp:::send { @[`jiffies_nosuch] = count(); }'
status 1
run -r $pcap -qv -o "$tmp/o" -n 'BEGIN { exit(0); }'
status 0
out ''
text_is 'the file' "$tmp/o" "$(report 'description BEGIN ' "$stable" "$stable")

"

# With -e there is no match line, and each description is printed with its arguments.
types="$(for i in 0:pktinfo_t 1:csinfo_t 2:ipinfo_t 3:ifinfo_t 4:ipv4info_t 5:ipv6info_t; do
	printf '\t\targs[%s]: %s *\n' ${i%:*} ${i#*:}
done)"
succeeds -r $pcap -ev -n 'ip:::send, dtrace:::BEGIN { trace(probename); }'
out "$(report 'description ip:::send, dtrace:::BEGIN ' "$evolving" "$stable")

ip:::send

$(attributes 'Probe Description Attributes' $evolving)

$(attributes 'Argument Attributes' $evolving)

	Argument Types
$types


dtrace:::BEGIN

$(attributes 'Probe Description Attributes' $stable)

$(attributes 'Argument Attributes' $stable)

	Argument Types
		None
"

# -x amin refuses exactly the less stable names, wherever the program uses them.
run -r $pcap -q -x amin=Evolving/Evolving/ISA -n 'ip:::send /args[2]->ip_plength > 0 && pid/ { @[execname] = count(); }'
status 0
run -r $pcap -q -x amin=Evolving/Evolving/Common -n 'BEGIN /curthread->pid/ { }'
status 1
err 'dtrace: invalid probe specifier BEGIN /curthread->pid/ { }: in predicate: attributes for scalar curthread (Stable/Private/Common) are less than predefined minimum'
run -r $pcap -q -x amin=Evolving/Evolving/ISA -n 'ip:kernel::send'
status 1
err 'dtrace: invalid probe specifier ip:kernel::send: attributes for probe description ip:kernel::send (Private/Private/Unknown) are less than predefined minimum'
run -r $pcap -q -x amin=Stable/Stable/ISA -n 'profile-1 { x = 1; }'
status 1
err_has 'attributes for probe description profile-1 \(Unstable/Unstable/Common\) are less'
finish
