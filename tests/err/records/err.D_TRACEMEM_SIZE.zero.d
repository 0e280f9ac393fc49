udp:::send { tracemem(args[4]->udp_hdr, 0); }
