/* Uses pointers of live hooks in arithmetic, as numbers. Some of the pointers may be NULL. */
ip:::send { trace((int)arg1); trace((short)arg2); trace(arg3 >> 4); trace(~arg4); @[arg0 & 0xff] = count(); }
ip:::receive { @r[arg0 % 7, arg1 & 1] = quantize(arg0); }
tcp:::send, tcp:::receive { @t[args[3]->tcps_addr % 7] = stddev(arg3); trace(lltostr(args[1]->cs_addr)); }
tcp:::state-change, tcp:::accept-established { @s[arg0 & 0xff, (int)arg3] = llquantize(arg1, 10, 0, 6, 20); }
udp:::send, udp:::receive { trace(arg0 << 2); trace(arg1 * 3); trace(-arg1); trace(arg1 / 5); exit(arg1 & 1); }
ip:::send, udp:::receive { @k[args[0]->pkt_addr, arg1] = count(); @o[arg0] = sum(1); held[arg1] = arg0; }
rawtp:::sched_switch { trace(arg1 >> 4); trace((int)arg2); trace(arg1 | arg2); @l[arg1 % 7] = lquantize(arg2, 0, 9); }
rawtp:::netif_receive_skb
{
	trace((int)args[0]->sk);
	trace((long)&args[0]->sk->sk_rcvbuf & 1);
	trace(args[0]->dev_scratch >> 3);
	this->s = args[0]->sk;
	trace((int)this->s);
	trace(this->s->__sk_common.skc_state);
	trace((++this->s)->sk_rcvbuf);
	trace(((struct inode *)args[0]->sk)->i_ino);
	trace(stringof(args[0]->sk->__sk_common.skc_prot->name));
}
