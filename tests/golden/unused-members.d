/* Unused members are not computed: no header is read here. */
ip:::send, ip:::receive { printf("%s\n", probename); }
