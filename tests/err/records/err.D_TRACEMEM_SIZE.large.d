udp:::send { tracemem(args[4]->udp_hdr, 1048577); }
