/* files.d - struct fileinfo_t: an open file of the current process (fds[]), or any struct file *. */

/*
 * A file. fds[N] is the file that the current process has open as descriptor N. For the file of a
 * disk request, only fi_name and fi_fs are known.
 */
typedef struct fileinfo {
	string fi_name;			/* last part of the path; "<none>" if there is no open
					 * file */
	string fi_dirname;		/* path of the directory that contains the file */
	string fi_pathname;		/* path of the file, as the current process sees it;
					 * "<unknown>" if the file has no path, for example a
					 * pipe */
	string fi_mount;		/* mount point of the file system */
	string fi_fs;			/* type of the file system: "ext4" */
	int64_t fi_offset;		/* offset in the file at which the next read or write
					 * begins */
	int fi_oflags;			/* flags of open(2) that the kernel has kept, as F_GETFL
					 * returns them: O_RDONLY, O_APPEND ... */
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

/* A directory entry of file @N, which may have several; NULL if memory has no entry. */
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
 * The file that the current process has open as descriptor @fd, or NULL if @fd is not open. The
 * table of descriptors is an array of pointers. The kernel lets a program follow a pointer only if
 * the pointer is a member of a struct. So an entry is read as the first member (next) of a
 * list_head.
 */
inline struct file *__file_of[int fd] = fd < 0 || curthread->files == NULL ||
    fd >= curthread->files->fdt->max_fds ? NULL :
    (struct file *)((struct list_head *)(curthread->files->fdt->fd + fd))->next;

inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (__file_of[fd]);

/*
 * cwd is the working directory of the current process, as a path from the process's root directory.
 * root is this root directory, as a path from the root of the process's mount namespace.
 */
inline string cwd = d_path(&curthread->fs->pwd);
inline string root = __path(curthread->fs->root.dentry, curthread->fs->root.mnt, 0);
