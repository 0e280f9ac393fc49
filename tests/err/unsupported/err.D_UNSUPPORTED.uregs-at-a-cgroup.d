/* args: -q -w -x errtags */
/* ways: live */
cgroup_skb:::egress { trace(uregs[1]); }
