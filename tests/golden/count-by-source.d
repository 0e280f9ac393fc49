ip:::receive { @[args[2]->ip_saddr] = count(); }
