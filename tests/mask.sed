# Replaces numbers that may differ between two builds by N, without moving columns.
# The offset of a fault in the clause's code.
s/(DIF offset) [0-9]+/\1 N/
# IDs of probes: in faults, in the line of a firing (CPU, ID, FUNCTION:NAME), and in -l.
s/\(ID [0-9]+:/(ID N:/
s/^( {0,2}[0-9]{1,3}) [ 0-9]{5}[0-9] ( *[^ :"]*:[A-Za-z_0-9-]+)/\1      N \2/
s/^[ 0-9]{4}[0-9] ( *[a-z_0-9]+ .{17} .{33} [A-Za-z_0-9-]+)$/    N \1/
