ip:::receive { this->n = args[2]->ip_plength; }
ip:::receive /this->n > 100/ { trace(this->n); }
rawtp:::netif_receive_skb { @len = max(args[0]->len); }
