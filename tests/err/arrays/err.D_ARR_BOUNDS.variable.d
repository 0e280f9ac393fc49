/* args: -x errtags */
int a[2][3]; BEGIN { a[1][3] = 1; }
