/* args: -q */
BEGIN { breakpoint(); }
