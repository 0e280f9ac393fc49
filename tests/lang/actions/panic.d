/* args: -qw */
BEGIN { printf("not run\n"); panic(); }
