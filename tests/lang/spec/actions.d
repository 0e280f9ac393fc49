/* args: -q */
/* Actions on aggregations may be speculative, too: they run at commit. */
BEGIN { @a["x"] = sum(1); s = speculation(); }
BEGIN { speculate(s); printa("%s %@d\n", @a); clear(@a); }
BEGIN { printa("first %s %@d\n", @a); }
BEGIN { commit(s); discard(s); }
END { printa("then %s %@d\n", @a); }
BEGIN { exit(0); }
