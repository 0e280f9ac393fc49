BEGIN { this->e = 1; trace("[31m"); trace(execnam); }
