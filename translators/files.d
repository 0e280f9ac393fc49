/* files.d - the open files of the current process, fds[], and any struct file *. */

/*
 * A file. fds[] are the open files. For the file of a disk request, only the name and the file
 * system are known.
 */
typedef struct fileinfo {
	string fi_name;			/* file name: the last part of its path; "<none>" if the
					 * file is not open */
	string fi_dirname;		/* path of the folder that the file is in */
	string fi_pathname;		/* path of the file, as the current process sees it;
					 * "<unknown>" if the file has none */
	string fi_mount;		/* mount point of the file system */
	string fi_fs;			/* type of the file system */
	int64_t fi_offset;		/* offset of the next read or write */
	int fi_oflags;			/* O_RDONLY ... as given to open() */
} fileinfo_t;

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : stringof((const char *)F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_mount = F == NULL ? "<none>" : __path(F->f_path.mnt->mnt_root, F->f_path.mnt, 1);
	fi_fs = F == NULL ? "<none>" : stringof((const char *)F->f_inode->i_sb->s_type->name);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_oflags = F == NULL ? 0 : (int)F->f_flags;
};

/* The directory entry of one name of file @N, or NULL if no name is known. */
inline struct dentry *__dentry_of[struct inode *N] = N == NULL || N->i_dentry.first == NULL ? NULL :
    (struct dentry *)((char *)N->i_dentry.first - offsetof(struct dentry, d_u));

translator fileinfo_t < struct inode *N > {
	fi_name = __dentry_of[N] == NULL ? "<none>" : stringof((const char *)__dentry_of[N]->d_name.name);
	fi_dirname = "<unknown>";
	fi_pathname = "<unknown>";
	fi_mount = "<unknown>";
	fi_fs = N == NULL ? "<none>" : stringof((const char *)N->i_sb->s_type->name);
	fi_offset = 0;
	fi_oflags = 0;
};

/*
 * The open file with the descriptor @fd. NULL if the number is beyond the table of descriptors, or if
 * the file is closed. The kernel lets programs follow pointers only in structs. So the entry of the
 * table is read as a list_head, which is a struct that begins with a pointer.
 */
inline struct file *__file_of[int fd] = fd < 0 || curthread->files == NULL ||
    fd >= curthread->files->fdt->max_fds ? NULL :
    (struct file *)((struct list_head *)(curthread->files->fdt->fd + fd))->next;

inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (__file_of[fd]);

/*
 * The variable cwd is the working directory of the current process, as a path from the root
 * directory of that process. The variable root is this root directory, as a path from the root of
 * the process's mount namespace.
 */
inline string cwd = d_path(&curthread->fs->pwd);
inline string root = __path(curthread->fs->root.dentry, curthread->fs->root.mnt, 0);
