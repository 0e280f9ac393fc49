#pragma D option nohint
BEGIN { trace(execnam); }
