ip:::send { @[args[2]->ip_daddr] = quantize(args[2]->ip_plength); }
