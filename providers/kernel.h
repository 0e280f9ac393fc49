/*
 * kernel.h - the structs and members of the kernel that the compiler itself looks at.
 *
 * Whatever else it knows of a kernel is D text, or a member of struct hook.
 */
#ifndef PROVIDERS_KERNEL_H
#define PROVIDERS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "types/type.h"

enum kernel_struct {
	KS_SK_BUFF, KS_SOCK, KS_SOCK_COMMON, KS_SOCKET, KS_REQUEST_SOCK, KS_TASK, KS_IPHDR,
	KS_FS, KS_PATH, KS_DENTRY, KS_QSTR, KS_MOUNT, KS_VFSMOUNT,
};

enum kernel_member {
	KM_SKB_SK,
	KM_SKB_LEN,
	KM_SKB_DATA_LEN, /* of it, what is not at ->data */
	KM_SKB_DATA,
	KM_SKB_HEAD,
	KM_SKB_PROTOCOL,
	KM_SKB_NETWORK_HEADER, /* behind ->head */
	KM_REQUEST_SK,
	KM_SOCKET_SK,
	KM_SOCK_COOKIE,  /* of a sock_common, with which every kind of socket begins */
	KM_TASK_TGID,
	KM_TASK_PARENT,
	KM_TASK_FS,
	KM_FS_ROOT,
	KM_PATH_MNT,
	KM_PATH_DENTRY,
	KM_DENTRY_PARENT,
	KM_DENTRY_NAME,  /* a struct qstr */
	KM_DENTRY_HASH,
	KM_QSTR_NAME,
	KM_QSTR_LEN,
	KM_MOUNT_PARENT,
	KM_MOUNT_POINT,
	KM_MOUNT_MNT,    /* the vfsmount within */
	KM_VFSMOUNT_ROOT,
};

/* The struct as @s knows it; NULL: it does not. */
struct type *kernel_struct(struct scope *s, enum kernel_struct which);

/* Where the member is, in bytes; 0: @s knows none. */
uint32_t kernel_offset(struct scope *s, enum kernel_member m);

/* Is @t that struct?  NULL is none. */
bool kernel_is(const struct type *t, enum kernel_struct which);

/* Is member @name of struct @of that one?  NULL has none. */
bool kernel_is_member(const struct type *of, const char *name, enum kernel_member m);

#endif
