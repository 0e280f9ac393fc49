/* args: -r tests/pcap/empty.pcap -q '"a b"' 'c\td' '"99999999999999999999"' */
/* Quotes around an argument are removed, except by $$n. Escapes are resolved. */
BEGIN { printf("[%s] [%s] [%s] [%s] [%s]\n", $1, $$1, $2, $$2, $3); }
