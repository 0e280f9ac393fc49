/* args: -q */
BEGIN { printf("not run\n"); }
BEGIN { system("echo not run"); }
