rawtp:::net_dev_queue, rawtp:::netif_receive_skb { trace(args[1]); }
