# clang-format 19 formats all C code, with the rules of .clang-format. Other versions format some lines differently.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
for tool in clang-format-19 clang-format; do
	case $("$tool" --version 2>/dev/null) in *' version 19.'*) break ;; esac
	tool=
done
[ -n "$tool" ] || { echo 'SKIP: no clang-format 19 (package clang-format-19)'; exit 77; }
mapfile -d '' files < <(find . \( -path './build*' -o -path ./.git \) -prune -o -name '*.[ch]' -print0)
[ ${#files[@]} -gt 0 ] || { echo 'no file to check'; exit 1; }
"$tool" --dry-run -Werror --ferror-limit=1 "${files[@]}" || {
	echo "to format them: $tool -i $(git ls-files '*.[ch]')"
	exit 1
}
echo "${#files[@]} files"
