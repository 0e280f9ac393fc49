# A viewer always ends. After Ctrl-C, or if the server disappears, the viewer shows the results that
# it has, and reports them as partial.
. tests/fleet/lib.bash
network 1
keys
start_server
"$FLEET" setup || wrong setup
start_agent h1
until_true $LONG there 1 || { wrong 'the agent does not connect'; finish; }

ended() { # ended STATUS: waits for the viewer
	local status
	until_true $LONG test ! -e /proc/$viewer || { wrong "$what: the viewer does not end" && kill -9 $viewer; }
	wait $viewer
	status=$?
	checks=$((checks + 1))
	[ $status = "$1" ] || wrong "$what: status $status: $(cat "$T/err")"
}

what='Ctrl-C while the server does not answer'
begin_run h1 -d 60 -i 0.1 -n 'tick-10ms { @ = count(); }'
until_true $LONG grep -q '1 running' "$T/err" || wrong "$what: h1 does not answer"
kill -STOP $server
kill -INT $viewer
ended 1
says 'partial: interrupted before everything was read'
says 'h1: became silent before its run had ended'
kill -CONT $server

what='a second Ctrl-C'
until_true $LONG there 1 || { wrong 'the agent does not reconnect'; finish; }
begin_run h1 -d 60 -n 'tick-10ms { @ = count(); }'
cut_off h1
kill -INT $viewer
until_true $LONG grep -q "run $id" "$T/err"
while kill -INT $viewer 2>/dev/null; do sleep 0.2; done
ended 1
says '1 host asked: 0 whole, 1 silent'
back h1

what='the server ends during the run and does not come back'
until_true $LONG there 1 || { wrong 'the agent does not reconnect'; finish; }
begin_run h1 -d 5 --grace 1 -n 'tick-10ms { @ = count(); }'
kill_server
ended 1
says 'partial: the server did not send everything that it has'
finish
