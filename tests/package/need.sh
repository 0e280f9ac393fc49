# tools/need installs a server, which its package would enable and start, and leaves it disabled.
# While another apt holds its lock, tools/need waits.
. tests/package/lib.bash
make_root
[ -f /etc/resolv.conf ] && cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/tree" "$root/tree/tools"
cp tools/need "$root/tree/tools/need"
printf 'server: nats-server\n' >"$root/tree/tools/packages"
inside apt-get update
[ $status = 0 ] || skip "no packages can be had: $(tail -n 1 "$err")"

# The lock is fcntl's, as apt's is.
python3 -c '
import fcntl, sys, time
with open(sys.argv[1], "w") as f:
    fcntl.lockf(f, fcntl.LOCK_EX)
    print(flush=True)
    time.sleep(3)
' "$root/var/lib/dpkg/lock-frontend" >"$tmp/locked" &
until [ -s "$tmp/locked" ]; do sleep 0.1; done
inside /tree/tools/need server
wait $!
status 0
err_has 'installing'
inside sh -c 'command -v nats-server'
status 0
inside find /etc/systemd/system /etc/rc2.d /etc/rc5.d -name '*nats-server*' -name 'S*' -o -name 'nats-server.service'
out ''
inside ls /usr/sbin/policy-rc.d
status 2
finish
