/* args: -x errtags */
int *p; string s; BEGIN { s = p; }
