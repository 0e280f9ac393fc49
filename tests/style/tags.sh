# Every error tag of DTrace has a test, or a row in docs/compat.md that says why nothing causes the error. Every tag
# that we use is DTrace's or one of our few own.
set -u
cd "$(dirname "$0")/../.." || exit 1
own=' D_HOOK_NONE D_LIMIT D_SYS D_UNSUPPORTED D_VERIFY '
n=0 tested=0 reasons=0 bad=0
while read -r tag; do
	n=$((n + 1))
	if compgen -G "tests/err/*/err.$tag.*.d" >/dev/null; then
		tested=$((tested + 1))
		! grep -q "^| .*\`$tag\`.* | ...*|" docs/compat.md ||
			{ echo "$tag has a test, and docs/compat.md says that nothing brings it about"; bad=1; }
	elif grep -q "^| .*\`$tag\`.* | ...*|" docs/compat.md; then
		reasons=$((reasons + 1))
	else
		echo "$tag has neither a test nor a reason in docs/compat.md"
		bad=1
	fi
done < <(grep -v '^#' tests/err/tags.txt)
for tag in $(sed -n '/define DTAGS/,/^$/s/.*X(\(D_[A-Z_]*\)).*/\1/p' base/diag.h); do
	[[ $own == *" $tag "* ]] || grep -qx "$tag" tests/err/tags.txt || { echo "$tag is no tag of DTrace's"; bad=1; }
done
echo "$n tags: $tested tested, $reasons with a reason"
[ $n -gt 150 ] && [ $bad = 0 ]
