/* args: -x errtags */
BEGIN { p = alloca(1); trace(bcopy(p, p, 1)); }
