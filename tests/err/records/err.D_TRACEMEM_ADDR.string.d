udp:::send { tracemem("text", 4); }
