/*
 * vminfo.d - page faults, paging of files, and the pager.
 *
 * The names are those of Solaris. args[0] is the increment of the counter. Counters without an
 * event on Linux have no probe (see docs/compat.md).
 */
#pragma D attributes Evolving/Evolving/Common provider vminfo provider
#pragma D attributes Private/Private/Unknown provider vminfo module
#pragma D attributes Private/Private/Unknown provider vminfo function
#pragma D attributes Evolving/Evolving/Common provider vminfo name
#pragma D attributes Evolving/Evolving/Common provider vminfo args

provider vminfo {
	/* A page fault occurs at an address of a process. */
	probe as_fault(uint64_t n);
	/* A page fault occurs at an address of the kernel. */
	probe kernel_asflt(uint64_t n);
	/*
	 * A page fault occurs at a page that is present but must not be used that way, such as the
	 * first write to a shared page.
	 */
	probe prot_fault(uint64_t n);
	/* A page fault waited for a disk. */
	probe maj_fault(uint64_t n);
	/* Pages of a file are read. */
	probe pgin(uint64_t n);
	/* Pages of a file are read. args[0] is their number. */
	probe pgpgin, fspgin(uint64_t pages);
	/* Pages of a file are written. */
	probe pgout(uint64_t n);
	/* Pages of a file are written. args[0] is their number. */
	probe pgpgout, fspgout(uint64_t pages);
	/* The kernel's pager wakes up because memory is short. */
	probe pgrrun(uint64_t n);
	/* The pager looks at pages. args[0] is their number. */
	probe scan(uint64_t pages);
};

/* User addresses are in the lower half of the address space. */
inline int __of_process[uint64_t address] = (int64_t)address >= 0;
/*
 * Has the kernel resolved the fault? With VM_FAULT_ERROR (0x873), the process gets a signal. With
 * VM_FAULT_RETRY (0x400), the same fault will occur again.
 */
inline int __mended[unsigned int ret] = (ret & (0x873 | 0x400)) == 0;

vminfo:::as_fault
	on rawtp:::page_fault_user
	(1)

	on rawtp:::page_fault_kernel
	/ __of_process[args[0]] /
	(1)
or
	on fbt::handle_mm_fault:return
	/ __mended[args[1]] /
	(1)
;

vminfo:::kernel_asflt
	on rawtp:::page_fault_kernel
	/ !__of_process[args[0]] /
	(1)
;

/* 1 is X86_PF_PROT: the page is present. */
vminfo:::prot_fault
	on rawtp:::page_fault_user
	/ args[2] & 1 /
	(1)

	on rawtp:::page_fault_kernel
	/ __of_process[args[0]] && (args[2] & 1) /
	(1)
;

/* 4 is VM_FAULT_MAJOR. 0x20 is FAULT_FLAG_TRIED: the thread has already waited for the page. */
vminfo:::maj_fault
	on fbt::handle_mm_fault:return
	/ __mended[args[1]] && ((args[1] & 4) || (args[4] & 0x20)) /
	(1)
;

inline int __of_file[struct bio *B] = __page_inode[__head_page[__bio_page[B]]] != NULL;
inline uint64_t __pages[struct bio *B] = (B->bi_iter.bi_size + 4095) >> 12;

vminfo:::pgin
	on rawtp:::block_bio_queue
	/ (args[0]->bi_opf & 0xff) == 0 && __of_file[args[0]] /
	(1)
;

vminfo:::fspgin
	on rawtp:::block_bio_queue
	/ (args[0]->bi_opf & 0xff) == 0 && __of_file[args[0]] /
	(__pages[args[0]])
;

vminfo:::pgpgin
	on rawtp:::block_bio_queue
	/ (args[0]->bi_opf & 0xff) == 0 && __of_file[args[0]] /
	(__pages[args[0]])
;

vminfo:::pgout
	on rawtp:::block_bio_queue
	/ (args[0]->bi_opf & 0xff) == 1 && __of_file[args[0]] /
	(1)
;

vminfo:::fspgout
	on rawtp:::block_bio_queue
	/ (args[0]->bi_opf & 0xff) == 1 && __of_file[args[0]] /
	(__pages[args[0]])
;

vminfo:::pgpgout
	on rawtp:::block_bio_queue
	/ (args[0]->bi_opf & 0xff) == 1 && __of_file[args[0]] /
	(__pages[args[0]])
;

vminfo:::pgrrun
	on rawtp:::mm_vmscan_kswapd_wake
	(1)
;

vminfo:::scan
	on rawtp:::mm_vmscan_lru_isolate
	(args[3])
;
