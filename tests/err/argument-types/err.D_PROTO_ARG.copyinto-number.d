/* args: -q -x errtags */
BEGIN { copyinto(1, 2, 3); }
