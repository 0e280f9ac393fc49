ip:::receive { this->n = args[2]->ip_plength; total += this->n; seen[args[2]->ip_saddr]++; }
ip:::receive /this->n > 1000/ { big = strjoin(args[4]->ipv4_protostr, "!"); }
ip:::receive /seen[args[2]->ip_saddr] == 2 && big == "TCP!"/ { trace(total / this->n); }
END { trace(*(int *)total); }
