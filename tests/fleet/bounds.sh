# The policy limits the CPU, memory and tasks of a run. Each run has a control group of its own,
# which is removed when the run ends, also if the agent and the keeper were killed. If the agent
# cannot create control groups, its log says so. A policy can refuse runs that have no control
# group.
. tests/fleet/lib.bash
network 1
keys
cp "$T/policy" "$T/listed"
owner=$(sed -n 's/^key [0-9a-f]* //p' "$T/keyline")
start_server
"$FLEET" setup || wrong setup

# With cgroup v1, the groups of runs are inside the group of this process. With cgroup v2, they are
# inside a new group, which has only the agent.
v2=
trees=(cpu memory pids)
if [ -d /sys/fs/cgroup/pids ]; then
	top() { echo "/sys/fs/cgroup/$1$(awk -F: -v c="$1" '$2 == c { print $3 }' /proc/self/cgroup)"; }
	mkdir "$(top pids)/try.$$" 2>/dev/null && rmdir "$(top pids)/try.$$" || skip 'no control groups here'
else
	v2=/sys/fs/cgroup/fleet.$$ trees=(.)
	top() { echo "$v2"; }
	echo '+cpu +memory +pids' >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null
	mkdir "$v2" 2>/dev/null && [ -e "$v2/pids.max" ] || skip 'no control groups here'
	trap 'clean; sleep 0.2; find "$v2" -depth -type d -exec rmdir {} +' EXIT
fi
bounded_agent() { # bounded_agent [ARGS]: starts the agent of h1 in a group in which it can create groups
	(
		# A process cannot enter a group of cgroup v2 whose subgroups have controllers, so
		# this turns the controllers off.
		for c in ${v2:+cpu memory pids}; do echo "-$c" >"$v2/cgroup.subtree_control"; done
		[ -z "$v2" ] || echo $BASHPID >"$v2/cgroup.procs"
		as_machine h1 "$FLEET" agent -H h1 --hostkey "$T/hostkey.h1" -p "$T/policy" -D "$T/h1" -v "$@" 2>>"$T/h1.log"
	) &
	agent[h1]=$!
}
group() { echo "$(top "$1")"/dtrace-fleet.*.run-"$id"; }
gone() { # gone: succeeds if no tree has the group of the run
	local tree
	for tree in "${trees[@]}"; do
		! compgen -G "$(group "$tree")" >/dev/null || return 1
	done
}
has() { # has WHAT EXPECTED VALUE
	checks=$((checks + 1))
	[ "$2" = "$3" ] || wrong "$1: $3, not $2"
}
bounds() { # bounds CPU MEMORY TASKS: checks the bounds of the current run
	if [ -n "$v2" ]; then
		has cpu "$((1000 * $1)) 100000" "$(cat $(group .)/cpu.max)"
		has memory "$2" "$(cat $(group .)/memory.max)"
	else
		has cpu "$((1000 * $1))" "$(cat $(group cpu)/cpu.cfs_quota_us)"
		has memory "$2" "$(cat $(group memory)/memory.limit_in_bytes)"
	fi
	has tasks "$3" "$(cat $(group "${trees[-1]}")/pids.max)"
}

what='the bounds of a key'
printf '%s\n' "limit $owner cpu 50" "limit $owner memory 268435456" "limit $owner files 300" 'tasks 40' >>"$T/policy"
bounded_agent
until_true $LONG there 1 || { wrong "the agent does not connect: $(cat "$T/h1.log")"; finish; }
begin_run h1 -d 50 -n 'tick-10ms { @ = count(); }'
bounds 50 268435456 40
traced=$(cat $(group "${trees[0]}")/cgroup.procs | head -n 1)
has 'open files' '300 300' "$(awk '/^Max open files/ { print $4, $5 }' "/proc/$traced/limits")"
has 'the process in the group' dtrace "$(cat "/proc/$traced/comm")"

what='a policy that changes during the run'
sed -i 's/cpu 50/cpu 70/' "$T/policy"
again() { [ "$(cat $(group "${trees[0]}")/"$([ -n "$v2" ] && echo cpu.max || echo cpu.cfs_quota_us)" 2>/dev/null | cut -d' ' -f1)" = 70000 ]; }
until_true $LONG again || wrong "$what: the bound stays"

what='an agent that was started again'
kill_agent h1
bounded_agent
taken_over() { [ "$(grep -c 'agent h1, [1-9]' "$T/h1.log")" = 1 ]; }
until_true 30 taken_over || wrong "$what: it does not take over the run: $(cat "$T/h1.log")"
until_true 30 again || wrong "$what: the run is not bounded again"

what='a killed agent and a killed keeper'
kill_agent h1
kept=$(pgrep -f "^[^ ]*dtrace-fleet keep $T/h1/runs/$id " | head -n 1)
kill -9 "$kept"
dead() { [ ! -e "/proc/$traced" ]; }
until_true $LONG dead || wrong "$what: dtrace goes on"
checks=$((checks + 2))
gone && wrong "$what: nobody could have removed the group"
bounded_agent
until_true $LONG gone || wrong "$what: the next agent leaves the group"
wait $viewer
says 'h1: ended: the process that watches dtrace was killed'

what='the end of a run'
begin_run h1 -d 50 -n 'tick-10ms { @ = count(); }'
checks=$((checks + 2))
gone && wrong "$what: the run has no group"
"$FLEET" stop "$id"
wait $viewer
gone || wrong "$what: the group stays"
says '1 host asked: 1 whole'

# A program in place of dtrace takes more memory than the bound.
what='too much memory'
kill_agent h1
{
	echo '#!/bin/bash'
	printf '[ "$1" != --version ] || exec %q --version\n' "$DTRACE"
	echo 'exec python3 -c "b = b\"x\" * (100 << 20)"'
} >"$T/greedy"
chmod +x "$T/greedy"
{
	cat "$T/listed"
	echo 'memory 67108864'
} >"$T/policy"
bounded_agent --dtrace "$T/greedy"
timeout $LONG "$FLEET" run -d 20 -n 'BEGIN { @ = count(); }' >"$T/out" 2>"$T/err"
says 'h1: ended: policy: dtrace needed more than 67108864 bytes of memory'

what='no control groups'
kill_agent h1
cp "$T/listed" "$T/policy"
start_bare() { # start_bare: starts the agent of h1 where no control groups are mounted
	(as_machine h1 unshare -m sh -c 'umount -R -l /sys/fs/cgroup; exec "$@"' sh "$FLEET" agent -H h1 --hostkey "$T/hostkey.h1" -p "$T/policy" -D "$T/h1" -v 2>"$T/bare.log") &
	agent[h1]=$!
}
start_bare
until_true $LONG there 1 || wrong "$what: the agent takes no runs"
checks=$((checks + 1))
[ "$(grep -c 'control groups cannot set some limits of runs, so only limits of single processes apply there: cpu: no control group here can limit it' "$T/bare.log")" = 1 ] || wrong "$what: the log: $(cat "$T/bare.log")"
kill_agent h1
echo 'groups required' >>"$T/policy"
start_bare
timeout $LONG "$FLEET" run -d 20 -n 'BEGIN { @ = count(); }' >"$T/out" 2>"$T/err"
says 'h1: policy: each run needs control groups that limit it, and some are missing \(cpu: no control group here can limit it.*\)'
says '1 host asked: 0 whole, 1 refused'
finish
