/* args: -x errtags */
/* A struct that is only declared has no size. */
struct later;
BEGIN { @[*(struct later *)0] = count(); }
