# Completion of dtrace for fish: probes, members of their arguments, words of D, -x options, scripts.
# The candidates come from dtrace itself (dtrace --complete).

function __dtrace_program
    set -l text (commandline -ct | string trim -l -c '\'"')
    # The text before the word at the cursor, which is a member of an argument, a probe or a word of D.
    set -l stem (string replace -r '(args\[[0-9]+\](->[a-z0-9_]*)?|[a-z0-9_]+:::[a-zA-Z0-9_-]*|[a-zA-Z0-9_:]+)$' '' -- $text)
    if string match -qr '[{/]' -- $text
        set -l probe (string match -ar '[a-z0-9_]+:::[a-zA-Z0-9_-]+' -- $text)
        for word in (dtrace --complete members "$probe[-1]" 2>/dev/null) (dtrace --complete words 2>/dev/null)
            echo -- $stem$word
        end
    else
        for word in (dtrace --complete probes 2>/dev/null)
            echo -- $stem$word
        end
    end
end

# After the name of a script, offers the arguments that the script takes.
function __dtrace_arguments
    set -l scripts (dtrace --complete scripts 2>/dev/null)
    for word in (commandline -opc)
        if contains -- (string replace -r '\.d$' '' -- $word) $scripts
            dtrace --complete arguments $word 2>/dev/null
            return
        end
    end
end

complete -c dtrace -s n -x -a '(__dtrace_program)' -d 'Enable probes by name'
complete -c dtrace -s P -x -a '(dtrace --complete providers 2>/dev/null)' -d 'Enable probes of a provider'
complete -c dtrace -s m -x -d 'Enable probes of a module'
complete -c dtrace -s f -x -d 'Enable probes of a function'
complete -c dtrace -s i -x -d 'Enable a probe by number'
complete -c dtrace -s s -r -a '(dtrace --complete scripts 2>/dev/null)' -d 'Run a script'
complete -c dtrace -s r -r -d 'Read a capture file'
complete -c dtrace -s x -x -a '(dtrace --complete options 2>/dev/null)' -d 'Set an option'
complete -c dtrace -s c -x -d 'Run a command and end with it'
complete -c dtrace -s p -x -a '(__fish_complete_pids)' -d 'Trace a process and end with it'
complete -c dtrace -s o -r -d 'Append output to a file'
complete -c dtrace -s b -x -d 'Buffer size'
complete -c dtrace -s L -x -a '(__fish_complete_directories)' -d 'Directory of libraries'
complete -c dtrace -s D -x -d 'Define a symbol of the preprocessor'
complete -c dtrace -s U -x -d 'Undefine a symbol of the preprocessor'
complete -c dtrace -s I -x -a '(__fish_complete_directories)' -d 'Directory of the preprocessor'
complete -c dtrace -s X -x -a 'a c s t' -d 'Dialect of the preprocessor'
complete -c dtrace -s l -d 'List probes'
complete -c dtrace -s v -d 'Say more'
complete -c dtrace -s q -d 'Only what the program prints'
complete -c dtrace -s e -d 'Compile only'
complete -c dtrace -s w -d 'Allow destructive actions'
complete -c dtrace -s C -d 'Use the preprocessor'
complete -c dtrace -s H -d 'Name included files'
complete -c dtrace -s F -d 'Indent by function'
complete -c dtrace -s S -d 'Print the code'
complete -c dtrace -s Z -d 'Probes may be missing'
complete -c dtrace -s V -d 'Version'
complete -c dtrace -l help -d 'Help'
complete -c dtrace -l version -d 'Version'
complete -c dtrace -l scripts -d 'List scripts'
complete -c dtrace -l merge -r -d 'Add up files of aggregations'
complete -c dtrace -l diff -r -d 'Compare two files of aggregations'
complete -c dtrace -l check -r -d 'What of a script runs here'
complete -c dtrace -l test -r -d 'Run scripts against captures'
complete -c dtrace -n 'not __fish_seen_subcommand_from (dtrace --complete scripts 2>/dev/null)' -a '(dtrace --complete scripts 2>/dev/null)' -d Script
complete -c dtrace -a '(__dtrace_arguments)' -d Argument
