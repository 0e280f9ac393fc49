# dtrace prints the names of a socket's owner: user, control group, container and network namespace.
# It even knows the name of a group that was created during the run, and removed before dtrace
# prints.
. "$(dirname "$0")/../lib.bash"
need python3 nsenter

# A user that exists only in this mount namespace.
{ cat /etc/passwd && echo 'dtowner:x:54321:54321::/:/bin/false'; } >"$T/passwd"
mount --bind "$T/passwd" /etc/passwd || skip 'no users can be made here'
mkdir "$T/tree"
mount -t cgroup2 none "$T/tree" && [ "$(stat -c %i "$T/tree")" = 1 ] || skip 'no cgroup2 of the whole machine here'
box=$T/tree/dtrace-test-$$ id=$(printf '0123456789abcdef%.0s' 1 2 3 4)
mkdir "$box" || skip 'no cgroup can be made'
box_end() {
	rmdir "$box"/* "$box" 2>/dev/null
	umount "$T/tree" /etc/passwd
	live_end
}
trap box_end EXIT
ns one
clients=()

# connect_as GROUP UID NS PORT: creates the group and makes one unanswered connection from it
connect_as() {
	mkdir -p "$1"
	bash -c 'echo $$ >"$1/cgroup.procs" && exec nsenter --net="$3" python3 -c "
import os, socket
os.setuid($2)
socket.socket().connect_ex((\"127.0.0.1\", $4))"' - "$@" || fail "no connection to port $4"
	rmdir "$1"
}

prog='tcp:::connect-request { printf("%d %s|%s|%s|%s\n", args[3]->tcps_rport, args[1]->cs_user, args[1]->cs_cgroup_path,
		args[1]->cs_container, args[1]->cs_netns_name); }
	tcp:::connect-request { x = args[1]->cs_user; self->y = args[1]->cs_netns_name;
		printf("kept %d %s %s %s\n", args[3]->tcps_rport, x, self->y, strjoin("join-", args[1]->cs_container)); self->y = 0; }
	tcp:::connect-request /args[1]->cs_user == "dtowner" && args[1]->cs_netns_name == "one"/ {
		printf("it %d\n", args[3]->tcps_rport); }
	tcp:::connect-request /args[1]->cs_cgroup_path != "/" && args[1]->cs_user != "dtowner"/ {
		printf("below %d\n", args[3]->tcps_rport); }
	tcp:::connect-request { @[args[1]->cs_user, args[1]->cs_cgroup_path, args[1]->cs_container] = count();
		@ns[args[1]->cs_netns_name] = count(); }
	tcp:::accept-refused { printf("nobody %s %s %s %s\n", args[1]->cs_user, args[1]->cs_cgroup_path, args[1]->cs_container,
		args[1]->cs_netns_name); }
	END { printa("sum %s %s %s %@d\n", @); printa("ns %s %@d\n", @ns); }'
dt_start names -x aggout="$T/saved" -n "$prog"
mkfifo "$T/never"
for n in 5 6; do
	unshare -n bash -c 'ip link set lo up; echo listening $$; read -r _ <>"$0"' "$T/never" >"$T/anonymous$n" &
done
connect_as "$box/docker-$id.scope" 54321 /run/netns/one 7001
# dtrace has just read the names of namespaces when the next one is made.
for ((i = 0; i < 2000; i++)); do
	grep -q '^7001' "$T/names.out" && break
	pause 0.03
done
ip netns add late && ip -n late link set lo up
# On a busy machine reading the names takes long, and dtrace reads them again only after twenty times that.
for ((i = 0; i < 5; i++)); do
	connect_as "$box/machine-box\\x2d1.scope" 0 /run/netns/late 7002
	pause 0.3
	! grep -q '^7002.*|late' "$T/names.out" || break
	pause 1
done
connect_as "$box/cri-containerd-$id.scope" 54322 /run/netns/one 7003
connect_as "$box/crio-conmon-$id.scope" 0 /run/netns/one 7004
# Two connections in namespaces without a name.
for n in 5 6; do
	until grep -q listening "$T/anonymous$n"; do sleep 0.05; done
	pid=$(awk '{ print $2 }' "$T/anonymous$n")
	nsenter --net="/proc/$pid/ns/net" python3 -c "import socket
socket.socket().connect_ex(('127.0.0.1', 700$n))" &
	clients+=($!)
done
wait "${clients[@]}"
sleep 0.5
dt_stop names

group=/dtrace-test-$$
check() {
	grep -qxF -- "$2" "$T/names.out" && echo "ok: $1" || fail "$1: no line $2"
}
check 'a docker container, and a network namespace with a name' "7001 dtowner|$group/docker-$id.scope|0123456789ab|one"
check 'a systemd-nspawn container, and a namespace that is made during the run' "7002 root|$group/machine-box\\x2d1.scope|box-1|late"
check 'a user without a name' "7003 54322|$group/cri-containerd-$id.scope|0123456789ab|one"
check "a container's monitor has no container" "7004 root|$group/crio-conmon-$id.scope|-|one"
check 'names that are stored in variables' 'kept 7001 dtowner one join-0123456789ab'
# dtrace names a namespace without a name for the namespace's process with the lowest pid.
for n in 5 6; do
	holder=$(awk '{ print $2 }' "$T/anonymous$n") client=${clients[n - 5]}
	wanted=bash/$holder
	[ "$client" -gt "$holder" ] || wanted=python3/$client # pids have wrapped around in between
	same 'a namespace without a name' "$wanted" "$(sed -n "s/^700$n root|.*|//p" "$T/names.out")"
done
same 'a name that a predicate compares' 'it 7001' "$(grep '^it' "$T/names.out")"
same 'a predicate that compares paths of control groups' 'below 7002,below 7003,below 7004' "$(grep '^below 700[2-4]' "$T/names.out" | uniq | paste -sd ,)"
check 'a packet without an owner has the name unknown' 'nobody unknown unknown unknown unknown'
check 'names as keys of an aggregation' "sum dtowner $group/docker-$id.scope 0123456789ab 1"
check 'keys with the same name are printed as one key' 'ns one 3'

# The saved file contains the names, so any machine can show them.
umount /etc/passwd
timeout 300 "$DTRACE" -q --merge "$T/saved" >"$T/merged"
mount --bind "$T/passwd" /etc/passwd
grep -qE "dtowner +$group/docker-$id.scope +0123456789ab +1" "$T/merged" && echo 'ok: merged' || fail 'the saved file has no names'

# Other forms of output.
for form in json csv; do
	dt_start "$form" -x oformat=$form -x netns=one -n 'tcp:::connect-request { trace(args[1]->cs_user); print(args[1]->cs_netns_name);
		@[args[1]->cs_container] = count(); }'
	connect_as "$box/docker-$id.scope" 54321 /run/netns/one 7001
	sleep 0.3
	dt_stop "$form"
	for text in dtowner one 0123456789ab; do
		grep -qE "(^|[\",])$text[\",]|[\",]$text\$" "$T/$form.out" && echo "ok: $form: $text" || fail "$form: no $text"
	done
done

# refused WHAT CLAUSE: checks that the clause is an error whose message has WHAT
refused() {
	"$DTRACE" -en "tcp:::connect-request $2" 2>&1 | grep -q "$1" && echo "ok: $1" || fail "$2 is no error: $1"
}
refused 'only known when it is printed' '{ trace(substr(args[1]->cs_user, 1)); }'
refused 'only known when it is printed' '{ a[args[1]->cs_user] = 1; }'
refused 'only known when it is printed' '/args[1]->cs_user == execname/ { }'
refused '"nobody-of-that-name": no such user' '/args[1]->cs_user == "nobody-of-that-name"/ { }'
refused 'a container has several control groups' '/args[1]->cs_container == "0123456789ab"/ { }'
finish
