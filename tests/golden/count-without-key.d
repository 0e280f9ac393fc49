ip:::receive { @ = count(); }
