/* args: -C -q */
/* ways: live */
/*
** A script that measures interrupts and tasks of a driver. One event stands for all of them.
*/
inline int qg0 = 100018;
inline int qg1 = 100019;

#define PROBE_PREDICATE pid >= 0 && (tid != qg0 || \
    tid != qg1)
#define DRIVER_CHECK self->driver_prefix == "ix"

struct intr_info {
	uint64_t fast_ts;
	uint64_t task_ts;
};

struct task_info {
	uint64_t rx_ts;
	uint64_t tx_ts;
};

struct intr_info ii[int];
struct task_info iti[int];
int qlen[int];
char *driver_name[2];

BEGIN
/PROBE_PREDICATE && (!self->prefix_set)/
{
	self->driver_prefix = "ix";
	self->prefix_set = 1;
	driver_name[0] = (const char *)curthread->comm;
	driver_name[1] = driver_name[0] + 1;
	ii[tid].fast_ts = 100;
	iti[tid].rx_ts = 7;
	qlen[tid] = 41;
}

BEGIN
/PROBE_PREDICATE && iti[tid].rx_ts && DRIVER_CHECK/
{
	this->q_len = qlen[tid]++;
	ii[tid].task_ts = ii[tid].fast_ts + 20;
	self->rxq_id = (uint16_t)0x10003;
	printf("%d %d %d %d\n", this->q_len, qlen[tid], self->rxq_id,
	    ii[tid].task_ts - ii[tid].fast_ts);
	@a[iti[tid].rx_ts, self->rxq_id, probename] = count();
	@b[iti[tid].rx_ts, self->rxq_id, probename] = avg(ii[tid].task_ts - ii[tid].fast_ts);
	@c[iti[tid].rx_ts, self->rxq_id, probename] = min(20);
	@d[iti[tid].rx_ts, self->rxq_id, probename] = max(20);
	@e[iti[tid].rx_ts, self->rxq_id, "other"] = avg(3);
	@f[iti[tid].rx_ts, self->rxq_id, "other"] = min(3);
	@g[iti[tid].rx_ts, self->rxq_id, "other"] = max(3);
	@h[0, "a", "b"] = count();
	trunc(@h);
}

BEGIN
{
	this->s = stringof(*(driver_name));
	printf("%s|%s\n", substr(this->s, 0, 5), substr(stringof(driver_name[1]), 0, 4));
	exit(0);
}

END
{
	printf("%6s  %4s  %21s\n", "tid", "q", "function");
	printf("------  ----  ---------------------\n");
	printa("%6d  %4d  %21s  %@15d  %@12d  %@8d  %@8d  %@16d  %@16d  %@16d\n", @a, @b, @c, @d, @e, @f, @g);
	printa("%6d  %14s  %30s  %@12d\n", @h);
}
