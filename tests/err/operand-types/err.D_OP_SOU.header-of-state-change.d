tcp:::state-change { trace(args[2]->ip_saddr); }
