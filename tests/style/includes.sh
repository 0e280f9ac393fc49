#!/bin/bash
# Checks who includes whom against the table in docs/architecture.md.
set -u
cd "$DTRACE_TOP" || exit 1
bad=0

# may FOLDER: the folders (or single headers) that FOLDER may include, besides itself
may() {
	case $1 in
	base) echo "" ;;
	agg) echo "base" ;;
	sandbox) echo "base" ;;
	process) echo "base sandbox" ;;
	types) echo "base" ;;
	ir) echo "base types agg" ;;
	bpf) echo "base ir" ;;
	providers) echo "base process types ir" ;;
	compiler/syntax) echo "base types ir providers/provider.h" ;;
	compiler/meaning) echo "compiler/syntax base types ir providers/provider.h providers/kernel.h agg" ;;
	compiler/code) echo "compiler/meaning base types ir bpf providers/provider.h providers/kernel.h agg compiler/compile.h" ;;
	compiler) echo "base types ir bpf providers agg" ;;
	builtins) echo "base types ir compiler/meaning/sema.h compiler/code/irgen.h" ;;
	engine) echo "base ir/program.h" ;;
	replay) echo "base types engine ir/program.h" ;;
	consumer/serve) echo "base sandbox" ;;
	consumer/symbols) echo "base process ir/program.h" ;;
	consumer/values) echo "base process ir/program.h ir/format.h agg consumer/symbols" ;;
	consumer/aggs) echo "base engine/source.h ir/program.h agg consumer/symbols consumer/values consumer/loss.h" ;;
	consumer/forms) echo "base engine/source.h ir/program.h ir/format.h agg consumer/symbols consumer/values consumer/aggs consumer/loss.h consumer/options.h consumer/output.h" ;;
	consumer/screen) echo "base ir/program.h agg consumer/values consumer/aggs consumer/forms consumer/options.h" ;;
	consumer) echo "base sandbox process engine/source.h ir/program.h ir/format.h agg" ;;
	fleet) echo "base consumer/aggs/file.h" ;;
	cmd) echo "base agg sandbox process types ir bpf providers compiler builtins engine replay consumer" ;;
	esac
}

# The files of a folder, but for those of a folder in it that has a row of its own.
files() {
	if [ "$1" = compiler ] || [ "$1" = consumer ]; then
		find "$1" -maxdepth 1 -name '*.[ch]'
	else
		find "$1" -name '*.[ch]'
	fi
}

for folder in base agg sandbox process types ir bpf providers compiler/syntax compiler/meaning compiler/code compiler builtins engine replay consumer/serve consumer/symbols consumer/values consumer/aggs consumer/forms consumer/screen consumer cmd fleet; do
	grep -q "^| \`$folder/\`" docs/architecture.md || { echo "docs/architecture.md has no row for $folder/"; bad=1; }
	while IFS=: read -r file line; do
		inc=$(echo "$line" | sed 's/.*"\(.*\)".*/\1/')
		ok=0
		for allowed in $folder $(may $folder); do
			case $inc in "$allowed" | "$allowed"/*) ok=1 ;; esac
		done
		[ $ok = 1 ] || { echo "$file includes $inc, which $folder/ may not"; bad=1; }
	done < <(files "$folder" | xargs grep -H '^#include "')
done
exit $bad
