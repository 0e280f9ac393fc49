# Completion of dtrace for bash: probes, members of their arguments, words of D, -x options,
# scripts. dtrace itself lists the candidates (--complete).

# Words for the end of the program $1.
_dtrace_program() {
	local probe

	case $1 in
	*[\{/]*)
		probe=$(grep -oE '[a-z0-9_]+:::[a-zA-Z0-9_-]+' <<<"$1" | tail -n 1)
		[ -z "$probe" ] || "$dtrace" --complete members "$probe"
		"$dtrace" --complete words
		;;
	*) "$dtrace" --complete probes ;;
	esac
}

# Sets word, without its quotes, quote, if one is open, closed, if one was, before, the word before it, and script,
# an earlier word that names one of $2, of the line $1.  COMP_WORDS has words cut at ':' and '='.
_dtrace_word() {
	local c i

	for ((i = 0; i < ${#1}; i++)); do
		c=${1:i:1}
		if [ "$c" = "$quote" ]; then
			quote= closed=1
		elif [ -z "$quote" ] && [[ $c == [\'\"] ]]; then
			quote=$c
		elif [ -z "$quote" ] && [[ $c == [[:space:]] ]]; then
			[ -z "$word" ] || before=$word
			[[ -z $word || $'\n'$2$'\n' != *$'\n'"${word%.d}"$'\n'* ]] || script=$word
			word= closed=
		else
			word+=$c
		fi
	done
}

_dtrace() {
	local dtrace=${COMP_WORDS[0]} word='' quote='' closed='' before='' script='' list='' last stem c
	# The word at the cursor: a member of an argument, a probe, a word.
	local name='(args\[[0-9]+\](->[a-z0-9_]*)?|[a-z0-9_]+:::[a-zA-Z0-9_-]*|[a-zA-Z0-9_:]+)$'

	COMPREPLY=()
	_dtrace_word "${COMP_LINE:0:COMP_POINT}" "$("$dtrace" --complete scripts 2>/dev/null)"
	[ -z "$closed" ] || return # readline would put what is offered in the place of all that is quoted
	last=$word
	case $before in
	-*n)
		[[ $word =~ $name ]] && last=${BASH_REMATCH[0]} || last=
		list=$(_dtrace_program "$word" 2>/dev/null)
		;;
	-*P) list=$("$dtrace" --complete providers 2>/dev/null | sort -u) ;;
	-*x) list=$("$dtrace" --complete options 2>/dev/null) ;;
	-*[rocLDIUpb]) compopt -o default ;;
	*)
		if [[ $word == -* ]]; then
			list=$("$dtrace" --help 2>/dev/null | sed -n 's/^\t\(-[a-zA-Z]\)  .*/\1/p'
				echo '--help --version --scripts --check --test --merge --diff' | tr ' ' '\n')
		elif [ -n "$script" ]; then
			list=$("$dtrace" --complete arguments "$script" 2>/dev/null)
			compopt -o default
		else
			list=$("$dtrace" --complete scripts 2>/dev/null)
			compopt -o default
		fi
		;;
	esac 2>/dev/null

	stem=${word%"$last"}
	# Without quotes, the text before the last word-breaking character stays unchanged.
	[ -n "$quote" ] || stem=
	while IFS= read -r c; do
		[[ -z $c || $c != "$last"* ]] && continue
		[ -n "$quote" ] || c=${c#"${last%"${last##*[:=>]}"}"}
		COMPREPLY+=("$stem$c")
	done <<<"$list"
	case $before in -*[nx]) compopt -o nospace 2>/dev/null ;; esac
}
complete -F _dtrace dtrace
