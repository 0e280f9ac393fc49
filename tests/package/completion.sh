# Shell completion offers probes, members of arguments, keywords, options and their values, and
# scripts.
. tests/package/lib.bash
mkdir "$tmp/bin"
ln -s "$(realpath "$DTRACE")" "$tmp/bin/dtrace"
PATH=$tmp/bin:$PATH

has() { # has SHELL LINE WANT: checks that WANT is among the completions of LINE
	what="$1: $2" checks=$((checks + 1))
	"in_$1" "$2" >"$tmp/words" 2>"$tmp/err"
	grep -qxF -- "$3" "$tmp/words" || { wrong "does not offer: $3"; head -n 5 "$tmp/words" "$tmp/err"; }
}
hasnt() {
	what="$1: $2" checks=$((checks + 1))
	"in_$1" "$2" >"$tmp/words" 2>/dev/null
	! grep -qxF -- "$3" "$tmp/words" || wrong "offers: $3"
}

# Calls the completion function for bash with the whole line in COMP_LINE and the cursor at its end.
# COMP_WORDS has only the command, because the function reads no other word of it.
in_bash() {
	bash --norc -c '
		. tools/packaging/completion/dtrace.bash
		compopt() { :; }
		COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=(dtrace) COMP_CWORD=0
		_dtrace
		printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}
has bash 'dtrace -n tcp' 'tcp:::state-change'
has bash 'dtrace -n tcp:::st' 'state-change'
has bash "dtrace -n 'tcp:::st" 'tcp:::state-change'
hasnt bash "dtrace -n 'tcp:::st" 'udp:::send'
has bash "dtrace -n 'tcp:::send { @[args[2]->ip_d" 'tcp:::send { @[args[2]->ip_daddr'
has bash "dtrace -q -n 'ip:::send { @ = quan" 'ip:::send { @ = quantize'
has bash "dtrace -n 'tcp:::send /args[4]->tcp_flags & TH_S" 'tcp:::send /args[4]->tcp_flags & TH_SYN'
# Members are those of the probe in the text.
hasnt bash "dtrace -n 'ip:::send { trace(args[3]->" 'ip:::send { trace(args[3]->tcps_state'
has bash "dtrace -n 'ip:::send { trace(args[3]->" 'ip:::send { trace(args[3]->if_name'
has bash 'dtrace -x bufp' 'bufpolicy=ring'
has bash 'dtrace -x bufpolicy=f' 'fill'
has bash 'dtrace -qx aggsortk' 'aggsortkey'
has bash 'dtrace tcpl' 'tcplife'
has bash 'dtrace -s tcpl' 'tcplife'
has bash 'dtrace -P u' 'udp'
for provider in dtrace fbt icmp io ip kinst lockstat mib proc profile rawtp sched syscall sysinfo tcp udplite vminfo; do
	has bash "dtrace -P ${provider:0:2}" "$provider"
done
# After a script, its arguments are offered, not other scripts.
has bash 'dtrace tcpdrop s' 'stack'
has bash 'dtrace -r x.pcap tcptop.d 5 ' 'wide'
hasnt bash 'dtrace tcpdrop s' 'solisten'
# Text after the closing quote is not completed.
hasnt bash "dtrace -n 'tcp:::send { @[args[2]->ip_daddr'" 'ip_daddr'
has bash 'dtrace --v' '--version'
has bash 'dtrace -' '-n'
# Each offered option is accepted.
for option in $("$DTRACE" --complete options); do
	case $option in
	*= | promisc | follow) continue ;; # valid for an interface or --merge only
	esac
	run -x "$option" -e
	status 0
done

if command -v fish >/dev/null; then
	in_fish() {
		HOME=$tmp fish --no-config -c 'source tools/packaging/completion/dtrace.fish; complete -C "$argv[1]"' "$1" | cut -f1
	}
	has fish 'dtrace -n tcp:::st' 'tcp:::state-change'
	has fish "dtrace -n 'tcp:::send { @[args[2]->ip_d" 'tcp:::send { @[args[2]->ip_daddr'
	has fish 'dtrace -x bufp' 'bufpolicy=ring'
	has fish 'dtrace tcpl' 'tcplife'
	has fish 'dtrace tcpdrop s' 'stack'
	hasnt fish 'dtrace tcpdrop s' 'solisten'
	has fish 'dtrace --v' '--version'
else
	echo 'fish is not here'
fi

if command -v zsh >/dev/null; then
	# Types the line at a terminal, presses tab and prints the line that zsh then shows.
	in_zsh() {
		zsh -f -c '
			zmodload zsh/zpty
			zpty shell zsh -f -i
			zpty -w shell "PS1=; PS2=; RPS1=; fpath=('"$PWD"'/tools/packaging/completion \$fpath); autoload -Uz compinit; compinit -D -u; bindkey \"^I\" complete-word; setopt noautolist nolistbeep; _done() { print; print -r -- \"LINE=\$BUFFER\"; }; zle -N _done; bindkey \"^X\" _done; print READY=\$((1+1))"
			zpty -r shell x "*READY=2*"
			zpty -w -n shell "$1"$'"'\\t\\030'"'
			zpty -r shell line "*LINE=*"
			zpty -r shell rest "*"$'"'\\n'"'
			print -r -- "${rest}"
			zpty -d shell' zsh "$1" | tr -d '\r' | sed 's/ *$//'
	}
	has zsh 'dtrace -n tcp:::sta' 'dtrace -n tcp:::state-change'
	has zsh "dtrace -n 'tcp:::send { @[args[2]->ip_da" "dtrace -n 'tcp:::send { @[args[2]->ip_daddr"
	has zsh 'dtrace -x bufpolicy=r' 'dtrace -x bufpolicy=ring'
	has zsh 'dtrace tcpl' 'dtrace tcplife'
	has zsh 'dtrace tcpdrop st' 'dtrace tcpdrop stack'
else
	echo 'zsh is not here'
fi
finish
