/* args: -q -w -x errtags */
/* ways: live */
cgroup_skb:::egress { raise(2); }
