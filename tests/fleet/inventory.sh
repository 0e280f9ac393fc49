# The inventory lists the expected hosts. A viewer reports an expected host that does not answer,
# even if it has been away for long. Two hosts may have the same name or the same ID. The results of
# both count, and a line reports the equal names or IDs.
. tests/fleet/lib.bash
command -v python3 >/dev/null || skip 'no python3 here'
network 1
keys
start_server
"$FLEET" setup || wrong setup

says() { # says RE: the viewer printed a matching line
	checks=$((checks + 1))
	grep -Eq -- "^$1\$" "$T/err" || wrong "no line matches $1: $(cat "$T/err")"
}
grace=20
view() { # view ARGS: runs a viewer with ARGS, and sets $status
	timeout $LONG "$FLEET" run --grace $grace -d 20 "$@" -n 'BEGIN { @[host] = sum(10); exit(0); }' >"$T/out" 2>"$T/err"
	status=$?
}
ask() { # ask STATUS ARGS: runs a viewer with ARGS, and checks its exit status
	checks=$((checks + 1))
	view "${@:2}"
	[ $status = "$1" ] || wrong "status $status: $(cat "$T/err")"
}
sum() { # sum HOST N: checks that N is the total of the hosts with that name
	checks=$((checks + 1))
	[ "$(awk -v h="$1" '$1 == h { print $2 }' "$T/out")" = "$2" ] || wrong "$1 is not $2: $(cat "$T/out")"
}
lists() { # lists RE: checks that dtrace-fleet hosts prints a matching line
	checks=$((checks + 1))
	"$FLEET" hosts | grep -Eq "^$1" || wrong "hosts: no line matches $1: $("$FLEET" hosts)"
}
registered() { [ "$("$FLEET" hosts | grep -c ' expected ')" = "$1" ]; }

start_local h1
until_true $LONG registered 1 || { wrong 'h1 does not register'; finish; }
ask 0
says 'dtrace-fleet: 1 host asked: 1 whole'
id=$("$FLEET" hosts | awk '$1 == "h1" { print $NF }')
checks=$((checks + 1))
command -v systemd-id128 >/dev/null && [ "$id" != "$(as_machine h1 systemd-id128 machine-id -a b4f8d7e6c2a14c0f9d3e5a7b81c6f024)" ] &&
	wrong "the ID is $id"

# One host registered once and is away; another is expected and never registered.
admit gone
printf 'DTFLEET1\nhost gone\nid 0a\nversion 0.9\n\n' >"$T/gone"
nats_pub '$KV.FLEET_HOSTS.host.gone.0a' "$T/gone"
"$FLEET" expect never || wrong expect
grace=1 # viewers wait only 1 s for a host that is away
ask 1
says 'dtrace-fleet: gone: has not answered; last seen 20.* \(0a\)'
says 'dtrace-fleet: never: has not answered; it has never registered'
says 'dtrace-fleet: 3 hosts asked: 1 whole, 2 silent'
lists 'gone +expected +20[^ ]+ [^ ]+ [^ ]+ +0\.9 +0a$'
lists 'never +expected +never seen +- +-$'
# Only hosts that the pattern selects are expected.
ask 0 -t 'h*'

# A retired host is not reported as absent, until the host is expected again.
"$FLEET" retire gone/0a never || wrong retire
ask 0
lists 'gone +retired '
"$FLEET" expect gone || wrong expect
ask 1
"$FLEET" retire gone || wrong retire
grace=20
"$FLEET" retire none 2>"$T/err" && wrong 'a host that does not exist was retired'
says 'dtrace-fleet: none: no host of the inventory has this name'

# Another machine has the name of h1.
(as_machine copy "$FLEET" agent -H h1 -p "$T/policy" -D "$T/copy" 2>"$T/copy.log") &
agent[copy]=$!
until_true $LONG registered 2 || { wrong 'copy does not register'; finish; }
ask 1
sum h1 20
says "dtrace-fleet: h1: two machines have this name \\(IDs [0-9a-f]+, [0-9a-f]+\\)"
says 'dtrace-fleet: 2 hosts asked: 0 whole, 2 twin'
kill_agent copy
"$FLEET" retire "h1/$("$FLEET" hosts | awk -v id="$id" '$1 == "h1" && $NF != id { print $NF }')" || wrong retire

# A copy of the machine h1 has the ID of h1 and another name.
(as_machine h1 "$FLEET" agent -H h2 -p "$T/policy" -D "$T/h2" 2>"$T/h2.log") &
agent[h2]=$!
until_true $LONG registered 2 || { wrong 'h2 does not register'; finish; }
ask 1
sum h1 10
sum h2 10
says "dtrace-fleet: h1, h2: two hosts have the same ID \\($id\\)"
says 'dtrace-fleet: 2 hosts asked: 0 whole, 2 twin'
kill_agent h2
"$FLEET" retire h2 || wrong retire

# Another agent has the name and the ID of h1. The viewer expects only one of the two, so it does
# not wait for the second.
(as_machine h1 "$FLEET" agent -H h1 --hostkey "$T/hostkey.h1" -p "$T/policy" -D "$T/again" -v 2>"$T/again.log") &
agent[again]=$!
until_true $LONG grep -q '^dtrace-fleet: agent h1' "$T/again.log" || wrong 'the second agent does not start'
both() { # if the first agent answers much earlier, the run ends without the second one
	view
	[ $status = 1 ] && grep -q "^dtrace-fleet: h1: began the run twice: two agents have this host's ID" "$T/err" &&
		grep -Eq '^ *h1 +20$' "$T/out"
}
until_true $LONG both || wrong "two agents with one ID: $(cat "$T/err")"
sum h1 20
finish
