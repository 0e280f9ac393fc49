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
	procinfo) echo "base sandbox" ;;
	ir/types) echo "base" ;;
	ir) echo "base ir/types agg" ;;
	ir/bpf) echo "base ir" ;;
	providers) echo "base procinfo ir/types ir" ;;
	compiler/syntax) echo "base ir/types ir providers/provider.h" ;;
	compiler/meaning) echo "compiler/syntax base ir/types ir providers/provider.h providers/kernel.h agg compiler/options.h" ;;
	compiler/code) echo "compiler/meaning base ir/types ir ir/bpf providers/provider.h providers/kernel.h agg compiler/compile.h compiler/options.h" ;;
	compiler/builtins) echo "base ir/types ir compiler/meaning compiler/code" ;;
	compiler) echo "base ir/types ir ir/bpf providers agg compiler/syntax compiler/meaning compiler/code" ;;
	engine) echo "base ir/program.h" ;;
	engine/kernel) echo "base engine/source.h ir/program.h ir/table.h" ;;
	engine/vm) echo "base engine/source.h ir/program.h" ;;
	engine/replay) echo "base ir/types engine/source.h engine/vm ir/program.h" ;;
	consumer/serve) echo "base sandbox" ;;
	consumer/symbols) echo "base procinfo ir/program.h" ;;
	consumer/values) echo "base procinfo ir/program.h ir/format.h agg consumer/symbols" ;;
	consumer/aggs) echo "base engine/source.h ir/program.h agg consumer/symbols consumer/values consumer/loss.h" ;;
	consumer/oformat) echo "base engine/source.h ir/program.h ir/format.h agg consumer/symbols consumer/values consumer/aggs consumer/loss.h consumer/options.h consumer/output.h" ;;
	consumer/oformat/pictures) echo "base ir/program.h agg consumer/symbols consumer/values consumer/aggs consumer/oformat consumer/options.h consumer/output.h" ;;
	consumer/screen) echo "base ir/program.h agg consumer/values consumer/aggs consumer/oformat consumer/oformat/pictures consumer/options.h" ;;
	consumer) echo "base sandbox procinfo engine/source.h ir/program.h ir/format.h agg consumer/serve consumer/symbols consumer/values consumer/aggs consumer/oformat consumer/screen" ;;
	fleet) echo "base consumer/aggs/file.h" ;;
	cmd/target) echo "base" ;;
	cmd/late) echo "base procinfo ir/program.h providers compiler/allowed.h compiler/compile.h compiler/meaning/probes.h engine/source.h engine/kernel" ;;
	cmd/about) echo "base agg providers compiler compiler/meaning/hint.h compiler/builtins/lang.h cmd/options.h cmd/errors.h" ;;
	cmd/merge) echo "base sandbox engine/source.h consumer consumer/aggs consumer/oformat cmd cmd/target" ;;
	cmd) echo "base agg sandbox procinfo ir providers compiler engine consumer" ;;
	esac
}

rows="base agg sandbox procinfo ir/types ir ir/bpf providers compiler/syntax compiler/meaning compiler/code
	compiler/builtins compiler engine engine/kernel engine/vm engine/replay consumer/serve consumer/symbols
	consumer/values consumer/aggs consumer/oformat consumer/oformat/pictures consumer/screen consumer cmd cmd/target cmd/late cmd/about cmd/merge fleet"

# row_of FILE: the innermost folder with a row
row_of() {
	local dir=${1%/*} row

	while :; do
		for row in $rows; do
			[ "$row" != "$dir" ] || { echo "$row"; return; }
		done
		dir=${dir%/*}
	done
}

# A folder of providers is one subject with the others: the row is that of providers/.
for folder in $rows; do
	grep -q "^| \`$folder/\`" docs/architecture.md || { echo "docs/architecture.md has no row for $folder/"; bad=1; }
	while IFS=: read -r file line; do
		[ "$(row_of "$file")" = "$folder" ] || continue
		inc=${line#*\"} inc=${inc%\"*}
		ok=
		for allowed in $folder $(may "$folder"); do
			case $inc in
			"$allowed") ok=1 ;;
			# A folder's row allows its own files, not those of a folder in it that has a row.
			"$allowed"/*) [ "$folder" = cmd ] || [ "$(row_of "$inc")" = "$(row_of "$allowed/")" ] && ok=1 ;;
			esac
		done
		[ -n "$ok" ] || { echo "$file includes $inc, which $folder/ may not"; bad=1; }
	done < <(find "$folder" -name '*.[ch]' -print0 | xargs -0 grep -H '^#include "')
done
exit $bad
