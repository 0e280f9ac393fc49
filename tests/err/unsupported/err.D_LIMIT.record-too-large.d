/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN {
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
	tracemem(curthread, 1048576);
}
