ip:::send,ip:::receive { printf("%s %s -> %s %d on %s\n", probename, args[2]->ip_saddr, args[2]->ip_daddr, args[2]->ip_plength, args[3]->if_name); }
