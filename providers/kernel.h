/*
 * kernel.h - the structs and members of the kernel that the compiler itself uses.
 *
 * Everything else that dtrace knows about a kernel is in D library texts, or in members of struct
 * hook.
 */
#ifndef PROVIDERS_KERNEL_H
#define PROVIDERS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/types/type.h"

/* Each row is X(our name, the kernel's name). */
#define KERNEL_STRUCTS(X) \
	X(SK_BUFF, "sk_buff") \
	X(SOCK, "sock") \
	X(SOCK_COMMON, "sock_common") \
	X(SOCKET, "socket") \
	X(REQUEST_SOCK, "request_sock") \
	X(TASK, "task_struct") \
	X(IPHDR, "iphdr") \
	X(FS, "fs_struct") \
	X(PATH, "path") \
	X(DENTRY, "dentry") \
	X(QSTR, "qstr") \
	X(MOUNT, "mount") \
	X(VFSMOUNT, "vfsmount") \
	X(SHARED_INFO, "skb_shared_info") \
	X(PAGE, "page") \
	X(STORAGE_MAP, "bpf_local_storage_map") \
	X(PROG, "bpf_prog") \
	X(PROG_AUX, "bpf_prog_aux") \
	X(MAP_ARRAY, "bpf_array") \
	X(REFCOUNT, "refcount_struct") /* begins with an int */

/*
 * Each row is X(our name, the struct that has the member, the kernel's name). Every kind of socket
 * begins with a sock_common.
 */
#define KERNEL_MEMBERS(X) \
	X(SKB_SK, SK_BUFF, "sk") \
	X(SKB_LEN, SK_BUFF, "len") \
	X(SKB_DATA_LEN, SK_BUFF, "data_len") /* bytes of the packet that are not at ->data */ \
	X(SKB_DATA, SK_BUFF, "data") \
	X(SKB_HEAD, SK_BUFF, "head") \
	X(SKB_PROTOCOL, SK_BUFF, "protocol") \
	X(SKB_NETWORK_HEADER, SK_BUFF, "network_header") /* offset from ->head */ \
	X(SKB_END, SK_BUFF, "end") /* offset of the skb_shared_info from ->head */ \
	X(SKB_NEXT, SK_BUFF, "next") \
	X(SHARED_NFRAG, SHARED_INFO, "nr_frags") \
	X(SHARED_FRAGS, SHARED_INFO, "frags") \
	X(SHARED_LIST, SHARED_INFO, "frag_list") \
	X(REQUEST_SK, REQUEST_SOCK, "sk") \
	X(SOCKET_SK, SOCKET, "sk") \
	X(SOCK_COOKIE, SOCK_COMMON, "skc_cookie") \
	X(SOCK_STATE, SOCK_COMMON, "skc_state") \
	X(TASK_TGID, TASK, "tgid") \
	X(TASK_PARENT, TASK, "real_parent") \
	X(TASK_FS, TASK, "fs") \
	X(FS_ROOT, FS, "root") \
	X(PATH_MNT, PATH, "mnt") \
	X(PATH_DENTRY, PATH, "dentry") \
	X(DENTRY_PARENT, DENTRY, "d_parent") \
	X(DENTRY_NAME, DENTRY, "d_name") /* a struct qstr */ \
	X(DENTRY_HASH, DENTRY, "d_hash") \
	X(QSTR_NAME, QSTR, "name") \
	X(QSTR_LEN, QSTR, "len") \
	X(MOUNT_PARENT, MOUNT, "mnt_parent") \
	X(MOUNT_POINT, MOUNT, "mnt_mountpoint") \
	X(MOUNT_MNT, MOUNT, "mnt") /* the vfsmount inside the mount */ \
	X(VFSMOUNT_ROOT, VFSMOUNT, "mnt_root") \
	X(STORAGE_MEMORY, STORAGE_MAP, "selem_ma") /* the memory allocator; Linux 6.4 and later */ \
	X(PROG_ACTIVE, PROG, "active")             /* per-CPU count of runs in progress */ \
	X(PROG_TO_AUX, PROG, "aux") \
	X(PROG_ID, PROG_AUX, "id") \
	X(ARRAY_VALUES, MAP_ARRAY, "pptrs") /* of a per-CPU array: pointers to its values */

enum kernel_struct {
#define X(name, tag) KS_##name,
	KERNEL_STRUCTS(X)
#undef X
};

enum kernel_member {
#define X(name, of, member) KM_##name,
	KERNEL_MEMBERS(X)
#undef X
};

/* Returns struct @which as scope @s declares it, or NULL if @s does not have it. */
struct type *kernel_struct(struct scope *s, enum kernel_struct which);

/* Stores member @m in @out. Returns false if @s does not have the member. */
bool kernel_member(struct scope *s, enum kernel_member m, struct member *out);

/* Returns the offset of member @m in bytes, or 0 if @s does not have the member. */
uint32_t kernel_offset(struct scope *s, enum kernel_member m);

/* Returns whether @t is struct @which. @t may be NULL. */
bool kernel_is(const struct type *t, enum kernel_struct which);

/* Returns whether member @name of struct @of is member @m. @of may be NULL. */
bool kernel_is_member(const struct type *of, const char *name, enum kernel_member m);

#endif
