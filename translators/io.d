/*
 * io.d - requests to disks, and disks.
 */

/* A request to a block device. */
typedef struct bufinfo {
	int b_flags;			/* B_READ or B_WRITE, or neither if the request discards
					 * blocks (TRIM), as /proc/diskstats counts; or-ed with
					 * B_ASYNC if no thread waits for the request, B_PAGEIO
					 * if the data is a page of a file, and at io:::done
					 * with B_DONE, and B_ERROR if the request failed */
	size_t b_bcount;		/* length of the data in bytes */
	uint64_t b_blkno;		/* first block of the request, counted from the start of
					 * the whole disk; a block has 512 bytes */
	uint64_t b_lblkno;		/* the same as b_blkno */
	size_t b_resid;			/* bytes that were not transferred: b_bcount if the
					 * request failed, else 0 */
	size_t b_bufsize;		/* the same as b_bcount */
	uintptr_t b_iodone;		/* address of the kernel function that is called at the
					 * end of the request */
	int b_error;			/* errno if the request failed, else 0 */
	dev_t b_edev;			/* number of the device, for getmajor() and getminor() */
} bufinfo_t;

/* The errno for status @s of a request (blk_status_t). */
inline int __blk_errno[int s] = s == 0 ? 0 : s == 1 ? EOPNOTSUPP : s == 2 ? ETIMEDOUT : s == 3 ? ENOSPC :
    s == 4 ? ENOLINK : s == 5 ? EREMOTEIO : s == 7 ? ENODATA : s == 8 ? EILSEQ : s == 9 ? ENOMEM : EIO;

/* The first page of a request's data, or NULL if the request neither reads nor writes data. */
inline struct page *__bio_page[struct bio *B] = B == NULL || B->bi_io_vec == NULL || (B->bi_opf & 0xff) > 1 ?
    NULL : B->bi_io_vec->bv_page;
inline struct page *__head_page[struct page *P] = P != NULL && (P->compound_head & 1) ?
    (struct page *)(P->compound_head - 1) : P;
/*
 * The file whose data is in page @P. NULL if the page is memory of a process (O_DIRECT, swap) or of
 * the kernel.
 */
inline struct inode *__page_inode[struct page *P] = P == NULL || P->mapping == NULL ||
    ((uint64_t)P->mapping & 3) ? NULL : P->mapping->host;

/*
 * Is the request a read, a write, or neither? As in op_stat_group() of the kernel, REQ_OP_READ (0) is
 * a read, and other odd numbers than REQ_OP_DISCARD (3) are writes.
 */
inline int __io_way[uint32_t op] = op == 0 ? B_READ : (op & 1) && op != 3 ? B_WRITE : 0;

/* REQ_SYNC is 1 << 11. */
translator bufinfo_t < struct bio *B, uint64_t sector, uint32_t bytes, uint32_t op, int done, int status > {
	b_flags = B == NULL ? 0 : __io_way[op & 0xff] | (op & (1 << 11) ? 0 : B_ASYNC) |
	    (__page_inode[__head_page[__bio_page[B]]] != NULL ? B_PAGEIO : 0) |
	    (done ? B_DONE | (status != 0 ? B_ERROR : 0) : 0);
	b_bcount = bytes;
	b_blkno = sector;
	b_lblkno = sector;
	b_resid = status != 0 ? bytes : 0;
	b_bufsize = bytes;
	b_iodone = B == NULL ? 0 : (uintptr_t)B->bi_end_io;
	b_error = __blk_errno[status];
	b_edev = B == NULL ? 0 : B->bi_bdev->bd_dev;
};

/* A block device. */
typedef struct devinfo {
	int dev_major;			/* major number */
	int dev_minor;			/* minor number */
	int dev_instance;		/* first minor number of the whole disk */
	string dev_name;		/* name of the whole disk: "sda"; "<none>" if there is
					 * no device */
	string dev_statname;		/* name of the device or partition: "sda1" */
	string dev_pathname;		/* path of the device or partition: "/dev/sda1" */
} devinfo_t;

inline string __dev_name[struct block_device *D] = D == NULL ? "<none>" :
    stringof((const char *)D->bd_device.kobj.name);

translator devinfo_t < struct block_device *D > {
	dev_major = D == NULL ? 0 : D->bd_dev >> 20;
	dev_minor = D == NULL ? 0 : D->bd_dev & 0xfffff;
	dev_instance = D == NULL ? 0 : D->bd_disk->first_minor;
	dev_name = D == NULL ? "<none>" : stringof(D->bd_disk->disk_name);
	dev_statname = __dev_name[D];
	dev_pathname = D == NULL ? "<none>" : strjoin("/dev/", stringof((const char *)D->bd_device.kobj.name));
};
