/*
 * tables.c - measures three layouts of a hash table that several CPUs count in.
 *
 * usage: tables [-r rounds] [-n updates]
 *
 * The hash, the slots and the search are those of ir/table.h. The layouts differ in what CPUs
 * share:
 *
 *	index     index and keys are shared, and each CPU has its own values: what dtrace does
 *	shared    the values are shared too, so CPUs add to the same words
 *	per CPU   each CPU has a table of its own
 *
 * Each update finds an existing key, and adds 1 with an atomic instruction, because another program
 * may interrupt it. A round measures all layouts in turn. Prints the nanoseconds of CPU time for an
 * update, as the median of all rounds. The minimum would hide the time that CPUs wait for each
 * other.
 */
#include <err.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place.h"

#define CPUS 2
#define ROUNDS_MAX 99
#define FACTOR 0x9e3779b97f4a7c15ull
/* number of random keys that a CPU uses in turn, chosen before the measurement */
#define KEYS 65536

enum layout { INDEX, SHARED, PER_CPU, NLAYOUT };

static const char *const names[] = {"index", "shared", "per CPU"};

struct table {
	uint64_t *slot, mask;
	uint64_t *key;
	uint64_t *value[CPUS];
};

struct job {
	struct table *t;
	unsigned cpu;
	bool shared;
	uint32_t *draw;
	uint64_t updates;
	pthread_barrier_t *ready;
	double ns; /* CPU time of an update */
};

static uint64_t hash(uint64_t word)
{
	uint64_t h = (0x1234567 ^ word) * FACTOR;

	return h ^ h >> 32;
}

static void *zeros(uint64_t words)
{
	void *p = aligned_alloc(4096, (words * 8 + 4095) & ~4095ull);

	if (!p)
		err(1, "memory");
	return memset(p, 0, words * 8);
}

/* Makes a table with the keys 0 to n - 1. */
static struct table make(uint64_t n)
{
	struct table t = {.mask = 1};

	while (t.mask < 2 * n)
		t.mask *= 2;
	t.slot = zeros(t.mask--);
	t.key = zeros(n);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		t.value[cpu] = zeros(n);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t h = hash(i), at = h;

		while (t.slot[at & t.mask])
			at++;
		t.slot[at & t.mask] = h >> 32 << 32 | (i + 1);
		t.key[i] = i;
	}
	return t;
}

static void drop(struct table *t)
{
	free(t->slot);
	free(t->key);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		free(t->value[cpu]);
}

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void update(const struct table *t, uint64_t *value, uint64_t key)
{
	uint64_t h = hash(key), at = h, word;

	for (; (word = t->slot[at & t->mask]); at++)
		if (word >> 32 == h >> 32 && t->key[(uint32_t)word - 1] == key)
			break;
	__atomic_fetch_add(&value[(uint32_t)word - 1], 1, __ATOMIC_RELAXED);
}

static void *work(void *ctx)
{
	struct job *j = ctx;
	uint64_t *value = j->t->value[j->shared ? 0 : j->cpu];
	double began;

	pin((int)j->cpu);
	for (uint64_t i = 0; i < KEYS; i++)
		update(j->t, value, j->draw[i]);
	pthread_barrier_wait(j->ready);
	began = cpu_ns();
	for (uint64_t i = 0; i < j->updates; i++)
		update(j->t, value, j->draw[i % KEYS]);
	j->ns = (cpu_ns() - began) / j->updates;
	return NULL;
}

/* Chooses random keys: all with the same probability, or by Zipf's law with exponent 1. */
static void draw(uint32_t *to, uint64_t n, bool zipf, uint64_t seed)
{
	double all = log((double)n + 1);

	for (uint64_t i = 0; i < KEYS; i++) {
		double u;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		u = (double)(seed >> 11) / (double)(1ull << 53);
		to[i] = zipf ? (uint32_t)(exp(u * all) - 1) : (uint32_t)(u * (double)n);
		if (to[i] >= n)
			to[i] = (uint32_t)n - 1;
	}
}

/* Returns the mean cost of an update on @cpus CPUs. */
static double measure(enum layout layout, uint64_t n, bool zipf, unsigned cpus, uint64_t updates)
{
	static uint32_t draws[CPUS][KEYS];
	struct table t[CPUS];
	unsigned ntable = layout == PER_CPU ? cpus : 1;
	struct job job[CPUS];
	pthread_t thread[CPUS];
	pthread_barrier_t ready;
	double sum = 0;

	for (unsigned i = 0; i < ntable; i++)
		t[i] = make(n);
	pthread_barrier_init(&ready, NULL, cpus);
	for (unsigned i = 0; i < cpus; i++) {
		draw(draws[i], n, zipf, i + 1);
		job[i] = (struct job){&t[layout == PER_CPU ? i : 0],
				      i,
				      layout == SHARED,
				      draws[i],
				      updates,
				      &ready,
				      0};
		if (pthread_create(&thread[i], NULL, work, &job[i]))
			errx(1, "cannot start a thread");
	}
	for (unsigned i = 0; i < cpus; i++) {
		pthread_join(thread[i], NULL);
		sum += job[i].ns;
	}
	for (unsigned i = 0; i < ntable; i++)
		drop(&t[i]);
	return sum / cpus;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void row(uint64_t n, bool zipf, unsigned cpus, uint64_t updates, unsigned rounds)
{
	double ns[NLAYOUT][ROUNDS_MAX];

	for (unsigned r = 0; r < rounds; r++)
		for (enum layout l = 0; l < NLAYOUT; l++)
			ns[l][r] = measure(l, n, zipf, cpus, updates);
	printf("| %llu | %s | %u |", (unsigned long long)n, zipf ? "Zipf" : "uniform", cpus);
	for (enum layout l = 0; l < NLAYOUT; l++) {
		qsort(ns[l], rounds, sizeof(ns[l][0]), compare);
		printf(" %.1f |", ns[l][rounds / 2]);
	}
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const uint64_t sizes[] = {100, 10000, 1000000};
	unsigned rounds = 5;
	uint64_t updates = 5000000;
	int c;

	while ((c = getopt(argc, argv, "r:n:")) != -1) {
		if (c == 'r')
			rounds = (unsigned)strtoul(optarg, NULL, 0);
		else if (c == 'n')
			updates = strtoull(optarg, NULL, 0);
		else
			return 2;
	}
	if (!rounds || rounds > ROUNDS_MAX)
		errx(2, "the number of rounds must be 1 to %d", ROUNDS_MAX);
	printf("| keys | drawn | CPUs | %s | %s | %s |\n|---|---|---|---|---|---|\n", names[0],
	       names[1], names[2]);
	for (unsigned i = 0; i < 3; i++)
		for (int zipf = 0; zipf < 2; zipf++)
			for (unsigned cpus = 1; cpus <= CPUS; cpus++)
				row(sizes[i], zipf, cpus, updates, rounds);
	return 0;
}
