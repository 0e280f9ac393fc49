BEGIN { trace($target); }
