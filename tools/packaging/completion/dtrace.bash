# Completion of dtrace for bash: probes, members of their arguments, words of D, -x options,
# scripts. dtrace itself lists the candidates (--complete).

# Prints words that can continue the program $1.
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

# Splits the line $1, because COMP_WORDS has words cut at ':' and '='.  Sets these variables:
#   word     the last word, without quotes
#   quote    the quote that is still open in the word, or empty
#   closed   1 if the word ended in a quote
#   before   the word before the last word
#   script   an earlier word that is the name of a script in the list $2
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
	# The cursor's word is completed as a member of an argument, a probe or a word of D.
	local name='(args\[[0-9]+\](->[a-z0-9_]*)?|[a-z0-9_]+:::[a-zA-Z0-9_-]*|[a-zA-Z0-9_:]+)$'

	COMPREPLY=()
	_dtrace_word "${COMP_LINE:0:COMP_POINT}" "$("$dtrace" --complete scripts 2>/dev/null)"
	[ -z "$closed" ] || return # readline would replace the whole quoted text by the offered word
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
