/* args: -x errtags */
BEGIN { copyoutstr("x", 1); }
