# --canary, --batch and --max-hosts count the hosts behind relays. The hosts belong to the sites fra
# and ams, and ams has a relay below the relay eu. If a relay does not answer, the viewer names it
# and asks no host.
. tests/fleet/lib.bash
network 1
keys
start_server
"$FLEET" setup || wrong setup
grace=12
begun() { ls -d "$T"/[a-e]/runs/"$1" 2>/dev/null | wc -l; } # begun ID: prints how many hosts have begun this run
site_server fra 4322
site_server eu 4422
site_server ams 4522
name_relay 4222 fra eu
name_relay 4422 ams
relay fra 4222 4322
relay eu 4222 4422 8
relay ams 4422 4522 4
start_local a
start_local b -S nats://10.98.7.1:4322 --label role=web
start_local c -S nats://10.98.7.1:4322 --label role=db
start_local d -S nats://10.98.7.1:4522 --label role=web
start_local e -S nats://10.98.7.1:4522 --label role=db
registered() { [ "$("$FLEET" hosts -S nats://10.98.7.1:"$1" | grep -c ' expected ')" = "$2" ]; }
for s in '4222 3' '4322 2' '4422 1' '4522 2'; do
	until_true $LONG registered $s || wrong "not registered: $s"
done
program=(-n 'BEGIN { @ = sum(10); printf("on %s\n", host); exit(0); }')

# Each host is in exactly one part, and the total is the sum of all parts.
ask 0 --canary 1 --batch 2 --max-hosts 5 "${program[@]}"
sum 50
says 'run [^ ]+-1: canary, 1 host'
says 'run [^ ]+-2: part 2 of 3, 2 hosts'
says 'run [^ ]+-3: part 3 of 3, 2 hosts'
says '5 hosts asked: 5 whole'
checks=$((checks + 4))
id=$(run_of "$T/err" | sed -n '1s/-1: .*//p')
[ "$(begun "$id-1") $(begun "$id-2") $(begun "$id-3")" = '1 2 2' ] || wrong "begun: $(ls "$T"/[a-e]/runs)"
[ "$(grep -o 'on [a-e]$' "$T/out" | sort | tr -d ' \n')" = onaonboncondone ] || wrong "output: $(cat "$T/out")"
"$FLEET" runs | grep -q "^$id-1 " || wrong "the canary is no run: $("$FLEET" runs)"
! "$FLEET" runs | grep -q "^$id-0 " || wrong 'the request for the hosts is listed as a run'

# The labels of hosts behind relays count.
ask 0 --canary 1 -t role=web "${program[@]}"
sum 20
says 'run [^ ]+-1: canary, 1 host'
says '2 hosts asked: 2 whole'
ask 1 --max-hosts 4 "${program[@]}"
sum ''
says 'nobody was asked: 5 hosts match \*, and --max-hosts is 4'

# If a host of the canary refuses the program, no other host is asked.
ask 1 --canary 2 -n 'syscall:::entry { @ = count(); }'
says 'the canary is not whole: 3 hosts were not asked'
says '2 hosts asked: 0 whole, 2 refused'
checks=$((checks + 1))
id=$(run_of "$T/err" | sed -n '1s/-1: .*//p')
asked() { for s in 4222 4322 4522; do "$FLEET" audit -S nats://10.98.7.1:$s; done | grep ' accepted ' | grep -o " $id-[0-9]* "; }
until_true $LONG eval '[ "$(asked | wc -l)" = 2 ]' && [ "$(asked | sort -u)" = " $id-1 " ] || wrong "asked: $(asked)"

# The relay ams is gone. The relay eu says so, and nobody is asked.
kill_agent ams
ask 1 --canary 1 "${program[@]}"
sum ''
says 'eu: ams: has not said which hosts it has'
says 'nobody was asked: --canary, --batch and --max-hosts need to know all hosts'
# The viewer also reports a relay that an administrator has named, but that has never registered.
name_relay 4222 new
relay ams 4422 4522 4
ask 1 --max-hosts 50 "${program[@]}"
says 'new: has not said which hosts it has'
checks=$((checks + 1))
! grep -q 'eu: ' "$T/err" || wrong "eu has no answer: $(cat "$T/err")"
"$FLEET" retire new || wrong 'new is not retired'

ask 0 --max-hosts 5 "${program[@]}"
says '5 hosts asked: 5 whole'

# In the inventory of the site fra, a plan retires a host, but no listed administrator has signed
# the plan. The relay says so, and still counts the host.
"$FLEET" keygen "$T/olga" >"$T/admins"
kill_agent fra
relay fra 4222 4322 6 --admins "$T/admins"
"$FLEET" retire -S nats://10.98.7.1:4322 b || wrong 'b is not retired'
ask 1 --max-hosts 50 "${program[@]}"
says "fra: an entry of the site's inventory is not signed by the known key of its host or of an administrator, so it may be forged"
"$FLEET" retire -k "$T/olga" -S nats://10.98.7.1:4322 b || wrong 'b is not retired by olga'
ask 0 --max-hosts 4 "${program[@]}" # b is not expected any more
finish
