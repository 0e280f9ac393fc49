/* thread.c - starts threads that no signal interrupts. */
#include <pthread.h>
#include <signal.h>

#include "engine/kernel/impl.h"

int kthread_start(pthread_t *t, void *(*fn)(void *), void *ctx)
{
	sigset_t all, was;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	err = pthread_create(t, NULL, fn, ctx);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return err;
}
