# What is no use of the command: status 2, told on stderr, nothing on stdout.
. tests/cli/lib.bash

usage() {
	run "$@"
	status 2
	out ''
}

usage
err_has '^Usage: dtrace '
usage -y
err_has '^Usage: dtrace '
usage -n
usage -r
usage -r $pcap -r $pcap -n BEGIN
one_line_of_stderr
usage -r $pcap -c /bin/true -n BEGIN
one_line_of_stderr
usage -r $pcap -p 1 -n BEGIN
one_line_of_stderr
usage -l -V
err_has 'only one of the .* options can be specified at a time'
finish
