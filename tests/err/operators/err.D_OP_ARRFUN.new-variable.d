/* args: -x errtags */
int a[2]; BEGIN { x = a; }
