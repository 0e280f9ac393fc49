# A variable holds the whole name of a probe, however long.
. tests/cli/lib.bash
name=a-probe-whose-name-is-longer-than-any-that-people-write-but-not-than-kernel-functions
mkdir "$tmp/lib"
cat >"$tmp/lib/my.d" <<END
provider my { probe ${name//-/__}(struct sk_buff *b) : (pktinfo_t *b); };
my:::$name on cgroup_skb:::egress (args[0]);
END
run -L "$tmp/lib" -r $pcap -qn 'my::: { x = probename; printf("%s %d %d\n", x, strlen(x), x == probename); exit(0); }'
status 0
out "$name ${#name} 1
"
finish
