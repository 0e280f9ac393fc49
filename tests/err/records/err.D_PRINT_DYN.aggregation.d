/* args: -x errtags */
BEGIN { @a = count(); print(@a); }
