/* args: -x errtags */
char *p; BEGIN { printf("%s", p); }
