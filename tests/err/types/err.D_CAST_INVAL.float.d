/* args: -x errtags */
double d; BEGIN { x = (int)d; }
