/*
 * elf_job.h - the reader's job "elf": functions, names, static probes and instructions of ELF
 * files.
 */
#ifndef PROCESS_ELF_JOB_H
#define PROCESS_ELF_JOB_H

#include "sandbox/job.h"

extern const struct job elf_job;

#endif
