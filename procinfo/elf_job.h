/*
 * elf_job.h - the job "elf" of readers (sandbox/job.h). It lists functions, names, static probes
 * and instructions of ELF files.
 */
#ifndef PROCINFO_ELF_JOB_H
#define PROCINFO_ELF_JOB_H

#include "sandbox/job.h"

extern const struct job elf_job;

#endif
