udp:::send { tracemem(*(char (*)[4])args[4]->udp_hdr, 0); }
