/*
 * io.d - requests to disks, and threads that wait for them.
 *
 * A request is what the kernel gives to the driver of a disk, after it has merged neighbouring
 * requests. Devices without a queue (dm, md, zram) have a request for each struct bio of a file
 * system or a program, and the disks below them have requests of their own. Commands that neither
 * read nor write blocks are not shown.
 */
#pragma D attributes Evolving/Evolving/ISA provider io provider
#pragma D attributes Private/Private/Unknown provider io module
#pragma D attributes Private/Private/Unknown provider io function
#pragma D attributes Evolving/Evolving/ISA provider io name
#pragma D attributes Evolving/Evolving/ISA provider io args

provider io {
	/*
	 * A disk gets a request. The probe fires in the thread that made the request. For reads,
	 * and for writes without the page cache, that is the process; for other writes it is mostly
	 * a thread of the kernel.
	 */
	probe start(struct bio *bio, uint64_t sector, uint32_t bytes, uint32_t op, struct block_device *dev,
	    struct inode *inode) : (bufinfo_t *(bio, sector, bytes, op), devinfo_t *dev, fileinfo_t *inode);
	/* A request is done. The probe fires in the thread that the disk interrupted. */
	probe done(struct bio *bio, uint64_t sector, uint32_t bytes, uint32_t op, struct block_device *dev,
	    struct inode *inode, int done, int status) :
	    (bufinfo_t *(bio, sector, bytes, op, done, status), devinfo_t *dev, fileinfo_t *inode);
	/*
	 * The current thread begins to wait for a disk. Linux does not say for which request, so
	 * all members are 0 or "<none>".
	 */
	probe wait__start(struct bio *bio, struct block_device *dev, struct file *file) :
	    (bufinfo_t *bio, devinfo_t *dev, fileinfo_t *file);
	/* The wait has ended. */
	probe wait__done(struct bio *bio, struct block_device *dev, struct file *file) :
	    (bufinfo_t *bio, devinfo_t *dev, fileinfo_t *file);
};

/* ------------------------------------------------------------ requests */

/*
 * __is_request tells whether a request is for blocks. Excluded are a driver's own commands
 * (REQ_OP_DRV_IN, 34, and up), and writes of no bytes (REQ_OP_WRITE, 1, or REQ_OP_FLUSH, 2), which
 * only flush the disk's cache and have no start event.
 */
inline int __empties_cache[struct request *R] = R->__data_len == 0 && (R->cmd_flags & 0xff) <= 2;
inline int __is_request[struct request *R] = R->bio != NULL && (R->cmd_flags & 0xff) < 34 && !__empties_cache[R];
inline int __has_queue[struct bio *B] = B->bi_bdev->bd_disk->queue->mq_ops != NULL;

io:::start
	on rawtp:::block_rq_issue
	/ __is_request[args[0]] /
	(args[0]->bio, args[0]->__sector, args[0]->__data_len, args[0]->cmd_flags, args[0]->bio->bi_bdev,
	 __page_inode[__head_page[__bio_page[args[0]->bio]]])

	on rawtp:::block_bio_queue
	/ !__has_queue[args[0]] /
	(args[0], args[0]->bi_iter.bi_sector, args[0]->bi_iter.bi_size, args[0]->bi_opf, args[0]->bi_bdev,
	 __page_inode[__head_page[__bio_page[args[0]]]])
;

/*
 * First sector and length of a request of a device without a queue. The key is the address of the
 * request's struct bio. Both values are saved when the request starts, because the kernel changes
 * these members of the bio while it works.
 */
uint64_t __io_sector[uint64_t];
uint32_t __io_bytes[uint64_t];

rawtp:::block_bio_queue
/ !__has_queue[args[0]] /
{
	__io_sector[(uint64_t)args[0]] = args[0]->bi_iter.bi_sector;
	__io_bytes[(uint64_t)args[0]] = args[0]->bi_iter.bi_size;
}

/*
 * Fires when the whole request is done. A disk may do a request in several steps; the last step
 * counts.
 */
io:::done
	on rawtp:::block_rq_complete
	/ __is_request[args[0]] && args[2] >= args[0]->__data_len /
	(args[0]->bio, args[0]->__sector, args[0]->__data_len, args[0]->cmd_flags, args[0]->bio->bi_bdev,
	 __page_inode[__head_page[__bio_page[args[0]->bio]]], 1, (int)args[1])

	on rawtp:::block_bio_complete
	/ !__has_queue[args[1]] /
	(args[1], __io_sector[(uint64_t)args[1]], __io_bytes[(uint64_t)args[1]], args[1]->bi_opf, args[1]->bi_bdev,
	 __page_inode[__head_page[__bio_page[args[1]]]], 1, args[1]->bi_status)
;

/* ------------------------------------------------------------- waiting */

/* 1 for each thread that waits for a disk. The key is the number of the thread. */
int __io_waits[pid_t];

inline int __waits_for_io[int preempted, unsigned int state] = __sleeps[preempted, state] && curthread->in_iowait;

io:::wait-start
	on rawtp:::sched_switch
	/ __waits_for_io[args[0], args[3]] /
	(NULL, NULL, NULL)
;

rawtp:::sched_switch
/ __waits_for_io[args[0], args[3]] /
{
	__io_waits[args[1]->pid] = 1;
}

io:::wait-done
	on rawtp:::sched_exit_tp
	/ args[0] && __io_waits[curthread->pid] /
	(NULL, NULL, NULL)
or
	on rawtp:::sched_switch
	/ __io_waits[args[2]->pid] /
	as (args[2]) (NULL, NULL, NULL)
;

rawtp:::sched_exit_tp
/ args[0] && __io_waits[curthread->pid] /
{
	__io_waits[curthread->pid] = 0;
}

or
rawtp:::sched_switch
/ __io_waits[args[2]->pid] /
{
	__io_waits[args[2]->pid] = 0;
}
