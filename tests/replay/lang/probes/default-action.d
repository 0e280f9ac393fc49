/* args: -r tests/pcap/times.pcap */
BEGIN {} ip:::receive { ; } ip:::send { n = 1; } ip:::send { @ = count(); } END { trunc(@); }
