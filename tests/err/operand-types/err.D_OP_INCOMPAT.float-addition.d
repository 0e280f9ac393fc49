/* args: -x errtags */
double d; BEGIN { x = d + d; }
