/* args: -q */
BEGIN { panic(); }
