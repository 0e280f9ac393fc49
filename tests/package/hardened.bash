# hardened FILE PREFIX SANITIZED: checks that the program was compiled and linked with the hardening
# flags, and prints the missing ones. Looks at the program's headers, the functions that it calls
# and its instructions. PREFIX is the prefix of the binutils for FILE's machine. SANITIZED is yes
# for a program with sanitizers, for which some of the checks are left out (tools/hardening.cmake),
# or no.
hardened() {
	local file=$1 code names head

	head=$("$2readelf" -hlWd "$file") names=$("$2nm" -D "$file" 2>/dev/null; "$2nm" "$file" 2>/dev/null)
	code=$(mktemp)
	"$2objdump" -d --no-show-raw-insn "$file" >"$code"
	lacks() { # lacks WHAT RE TEXT: prints WHAT if no line of TEXT matches RE
		grep -qE -e "$2" <<<"$3" || echo "$file: no $1"
	}
	few() { # few WHAT RE LEAST: prints WHAT if fewer than LEAST instructions match RE
		[ "$(grep -cE -e "$2" "$code")" -ge "$3" ] || echo "$file: no $1"
	}
	[ "$3" = yes ] || lacks 'position-independent executable' 'Type: +DYN .*(Position-Independent|Shared)' "$head"
	lacks 'relocations made read-only (RELRO)' 'GNU_RELRO' "$head"
	lacks 'stack that cannot be executed' 'GNU_STACK.* RW +0x' "$head"
	# A static program has no symbols that could be bound later.
	grep -q INTERP <<<"$head" && lacks 'binding at the start (BIND_NOW)' 'BIND_NOW|FLAGS_1.*NOW' "$head"
	lacks 'stack protector' '__stack_chk_fail' "$names"
	[ "$3" = yes ] || lacks 'checks of sizes (FORTIFY)' '__(snprintf|vsnprintf|memcpy)_chk' "$names"
	case $head in
	*X86-64*)
		few 'probes of a large stack frame (stack-clash)' 'orq +\$0x0,\(%rsp\)' 3
		few 'control-flow protection (endbr64)' 'endbr64' 50
		;;
	*AArch64*)
		# On arm64 the guard is 64 KiB, and few frames are larger.
		few 'probes of a large stack frame (stack-clash)' 'str.xzr, \[sp, #1024\]' 1
		few 'branch protection (BTI)' '(bti.c|paciasp)$' 50
		;;
	esac
	rm -f "$code"
}
