/* args: -x errtags */
BEGIN { *alloca(8) = 1; }
