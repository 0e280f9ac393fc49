# press.bash - what tests of Ctrl-C share.
#
# pressed_once PID: two signals of one press, as timeout(1) sends them: one to the process, one to its group.
# False: they came so far apart that they may be two presses, as on a busy machine.
pressed_once() {
	local before
	before=$(date +%s%N)
	kill -INT "$1"
	sleep 0.05
	kill -INT "$1"
	while grep -Eqs '^(SigPnd|ShdPnd):.*[1-9a-f]' "/proc/$1/status"; do :; done # it is taken, not only sent
	[ $(($(date +%s%N) - before)) -le 300000000 ]
}
