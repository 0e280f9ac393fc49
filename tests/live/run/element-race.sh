# One CPU stores elements of associative arrays, and both CPUs delete and read them. No value that is
# read belongs to another key, and no string or struct has parts of two stores. SECONDS of the race:
# $RACE (4).
. "$(dirname "$0")/../lib.bash"

[ "$(nproc)" -ge 2 ] || skip 'one CPU sees no race'
cat >"$T/race.d" <<'END'
struct large { uint64_t key, first; char pad[3000]; uint64_t last; };
struct large tab[ipaddr_t, uint16_t], one, got;
uint64_t num[ipaddr_t, uint16_t];
string str[ipaddr_t, uint16_t];

BEGIN { base = 0x0a000000; }

rawtp:::sys_enter
/cpu == 0/
{
	this->n = ++stores;
	this->k = this->n & 3;
	num[base + this->k, 80] = this->k << 48 | this->n & 0xffffffff;
	str[base + this->k, 80] = strjoin(lltostr(this->k), strjoin(":", strjoin(lltostr(this->n),
		strjoin(":0123456789012345678901234567890123456789:", lltostr(this->n)))));
	one.key = this->k;
	one.first = one.last = this->n;
	tab[base + this->k, 80] = one;
	this->k = (this->n + 1) & 3;
	one.key = this->k;
	one.first = one.last = -this->n;
	tab[base + this->k, 80] = one;
}

rawtp:::sys_enter
/cpu == 1 && (++deletes & 7) == 0/
{
	this->k = timestamp >> 4 & 3;
	num[base + this->k, 80] = 0;
	str[base + this->k, 80] = NULL;
	tab[base + this->k, 80] = NULL;
}

rawtp:::sys_exit
/cpu <= 1/
{
	this->k = timestamp >> 3 & 3;
	this->v = num[base + this->k, 80];
	@reads = count();
	@wrong["number of another key"] = sum(this->v && this->v >> 48 != this->k);
	this->w = str[base + this->k, 80];
}

rawtp:::sys_exit
/cpu == 1/
{
	got = tab[base + this->k, 80];
	@wrong["struct of another key"] = sum(got.first && got.key != this->k);
	@wrong["struct of two stores"] = sum(got.first != got.last);
}

rawtp:::sys_exit
/cpu <= 1 && this->w != NULL/
{
	this->key = strtok(this->w, ":");
	this->first = strtok(NULL, ":");
	this->middle = strtok(NULL, ":");
	this->last = strtok(NULL, ":");
	@strings = count();
	@wrong["string of another key"] = sum(strtoll(this->key) != this->k);
	@wrong["string of two stores"] = sum(this->first != this->last || strlen(this->middle) != 40);
}

END { printa("reads %@d\n", @reads); printa("strings %@d\n", @strings); printa("%s: %@d\n", @wrong); }
END
for c in 0 1; do
	taskset -c $c timeout "${RACE:-4}" dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
done
"$PLAIN" -x duration="$((${RACE:-4} - 1))s" -x strsize=128 -qs "$T/race.d" >"$T/out" 2>"$T/err"
cat "$T/err" "$T/out"
for what in 'number of another key' 'struct of another key' 'struct of two stores' 'string of another key' 'string of two stores'; do
	same "$what" "$what: 0" "$(grep "^$what" "$T/out")"
done
[ "$(awk '/^strings/ { print $2 }' "$T/out")" -gt 1000 ] || fail 'elements are not read'
wait
finish
