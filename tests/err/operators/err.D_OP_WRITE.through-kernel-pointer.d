/* args: -x errtags */
BEGIN { curthread->pid = 1; }
