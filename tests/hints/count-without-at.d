ip:::receive { n = count(); }
