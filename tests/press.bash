# press.bash - helpers for tests of Ctrl-C.
#
# pressed_once PID: sends the two signals of one press as timeout(1) does, one to the process and
# one to its group. Fails if they came so far apart that dtrace may count two presses, as on a busy
# machine.
pressed_once() {
	local before
	before=$(date +%s%N)
	kill -INT "$1"
	sleep 0.05
	kill -INT "$1"
	while grep -Eqs '^(SigPnd|ShdPnd):.*[1-9a-f]' "/proc/$1/status"; do :; done # waits until the signal is delivered
	[ $(($(date +%s%N) - before)) -le 300000000 ]
}
