foo { trace(1); }
