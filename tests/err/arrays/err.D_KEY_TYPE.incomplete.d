/* args: -x errtags */
/* A struct of which only the name is known has no bytes. */
struct later;
BEGIN { @[*(struct later *)0] = count(); }
