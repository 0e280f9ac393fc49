# A translator in a user's library reads only captured bytes and replay's own objects.
. tests/cli/lib.bash
pcap=tests/pcap/snaplen.pcap

library() { # library MEMBERS EXPRESSION: makes a probe; EXPRESSION reads structs
	mkdir -p "$tmp/lib"
	cat >"$tmp/lib/my.d" <<-END
		struct myhdr { $1 };
		typedef struct myinfo { uint64_t my_v; } myinfo_t;
		translator myinfo_t < struct myhdr *H, struct sk_buff *B, struct sock *S > { my_v = $2; };
		provider my { probe send(struct myhdr *h, struct sk_buff *b, struct sock *s) : (myinfo_t *(h, b, s)); };
		my:::send on cgroup_skb:::egress ((struct myhdr *)__noted_l4, args[0], args[0]->sk);
	END
}

show() { # runs in the checked and in the fast VM, which must print the same
	run -x checked -L "$tmp/lib" -r $pcap -qn 'my:::send { @[args[0]->my_v] = count(); }'
	status 0
	cp "$out" "$tmp/checked"
	run -L "$tmp/lib" -r $pcap -qn 'my:::send { @[args[0]->my_v] = count(); }'
	status 0
	cmp -s "$out" "$tmp/checked" || wrong 'the checked machine prints other output'
}

# In snaplen.pcap, some packets are truncated after the ports, and the others are complete.
library 'uint32_t a, b, c;' 'H->a & 0'
show
out_has '^ +0 +[0-9]+$'
library 'uint32_t a, b, c;' 'H->c'
show
err_has 'invalid address'
library 'char pad[400000000]; uint32_t c;' 'H->c'
show
err_has 'invalid address'
library 'uint32_t a;' '((struct tcp_sock *)S)->snd_nxt'
show
library 'uint32_t a;' '((struct sk_buff *)S)->dev ? 1 : 0'
show
library 'uint32_t a;' '((struct sk_buff *)B->data)->len'
show
library 'uint32_t a;' '((struct ipv6hdr *)B->data)->daddr.in6_u.u6_addr32[3]'
show
library 'uint32_t a;' 'B[1000000].len'
show
err_has 'invalid address'
library 'uint32_t a;' 'B->data[B->len + 100000]'
show
err_has 'invalid address'
finish
