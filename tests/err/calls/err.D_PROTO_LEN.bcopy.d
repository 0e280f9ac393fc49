/* args: -x errtags */
BEGIN { bcopy(alloca(1), 2); }
