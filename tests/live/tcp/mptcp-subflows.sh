# All subflows of an MPTCP connection have the same tcps_mptcp_token, which is the token that ss(8)
# shows.
. "$(dirname "$0")/../lib.bash"
need python3 ss
[ -e /proc/sys/net/mptcp/enabled ] || skip 'this kernel has no MPTCP'

pair c s 10.0.1
veth c wc s ws
addr c wc 10.0.2.1/24
addr s ws 10.0.2.2/24
for n in c s; do
	in_ns $n sh -c 'echo 1 >/proc/sys/net/mptcp/enabled'
	in_ns $n ip mptcp limits set subflows 4 add_addr_accepted 4 || skip 'this ip(8) has no mptcp'
done
in_ns c ip mptcp endpoint add 10.0.2.1 dev wc subflow

cat >"$T/serve.py" <<'END'
import socket
plain = socket.create_server(("10.0.1.2", 7001))
flow = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
flow.bind(("10.0.1.2", 7002))
flow.listen()
print("listening", flush=True)
for l in (flow, flow, plain):
    s = l.accept()[0]
    while s.recv(1 << 16):
        pass
    s.sendall(b"end")
    s.close()
END
cat >"$T/call.py" <<'END'
import re
import socket
import subprocess
import time
for port, kind in ((7002, 262), (7002, 262), (7001, 0)):
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, kind)
    s.connect(("10.0.1.2", port))
    s.sendall(b"x" * 1000)
    for i in range(500):  # the second subflow joins after the first data
        text = subprocess.run(["ss", "-tHinO", "dport", "=", str(port)], capture_output=True, text=True).stdout
        flows = text.count("ESTAB")
        if flows == (2 if kind else 1):
            break
        time.sleep(0.01)
    for i in range(20):
        s.sendall(b"x" * 20000)
    for line in text.splitlines():
        address = line.split()[3].split("%")[0].split(":")[0]
        token = re.search(r"token:\w+\(id:\d+\)/(\w+)\(", line)
        print(port, address, token[1].lstrip("0") if token else "0")
    s.shutdown(socket.SHUT_WR)
    s.recv(10)
    s.close()
END
dt_start tokens -x footer -n '
tcp:::send /args[1]->cs_netns == '"$(inum c)"' && args[3]->tcps_state == TCP_STATE_ESTABLISHED/ {
	@[args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_mptcp_token] = count();
}
END { printa("%d %s %x\n", @); }' || finish
background server s timeout 60 python3 "$T/serve.py" || finish
in_ns c timeout 60 python3 "$T/call.py" >"$T/facts" || fail 'the traffic failed'
dt_stop tokens
lossless tokens
same 'number of subflow ends' 5 "$(sort -u "$T/facts" | wc -l)"
grep '^7' "$T/tokens.out" | sort >"$T/got"
sort "$T/facts" >"$T/want"
same_files 'tokens by subflow' "$T/want" "$T/got"
finish
