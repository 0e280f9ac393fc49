/*
 * kernel.c - the kernel's names for what the compiler looks at.
 */
#include "providers/kernel.h"

#include <string.h>

static const char *const tags[] = {
	[KS_SK_BUFF] = "sk_buff",
	[KS_SOCK] = "sock",
	[KS_SOCK_COMMON] = "sock_common",
	[KS_SOCKET] = "socket",
	[KS_REQUEST_SOCK] = "request_sock",
	[KS_TASK] = "task_struct",
	[KS_IPHDR] = "iphdr",
	[KS_FS] = "fs_struct",
	[KS_PATH] = "path",
	[KS_DENTRY] = "dentry",
	[KS_QSTR] = "qstr",
	[KS_MOUNT] = "mount",
	[KS_VFSMOUNT] = "vfsmount",
};

static const struct {
	enum kernel_struct of;
	const char *name;
} members[] = {
	[KM_SKB_SK] = {KS_SK_BUFF, "sk"},
	[KM_SKB_LEN] = {KS_SK_BUFF, "len"},
	[KM_SKB_DATA_LEN] = {KS_SK_BUFF, "data_len"},
	[KM_SKB_DATA] = {KS_SK_BUFF, "data"},
	[KM_SKB_HEAD] = {KS_SK_BUFF, "head"},
	[KM_SKB_PROTOCOL] = {KS_SK_BUFF, "protocol"},
	[KM_SKB_NETWORK_HEADER] = {KS_SK_BUFF, "network_header"},
	[KM_REQUEST_SK] = {KS_REQUEST_SOCK, "sk"},
	[KM_SOCKET_SK] = {KS_SOCKET, "sk"},
	[KM_SOCK_COOKIE] = {KS_SOCK_COMMON, "skc_cookie"},
	[KM_TASK_TGID] = {KS_TASK, "tgid"},
	[KM_TASK_PARENT] = {KS_TASK, "real_parent"},
	[KM_TASK_FS] = {KS_TASK, "fs"},
	[KM_FS_ROOT] = {KS_FS, "root"},
	[KM_PATH_MNT] = {KS_PATH, "mnt"},
	[KM_PATH_DENTRY] = {KS_PATH, "dentry"},
	[KM_DENTRY_PARENT] = {KS_DENTRY, "d_parent"},
	[KM_DENTRY_NAME] = {KS_DENTRY, "d_name"},
	[KM_DENTRY_HASH] = {KS_DENTRY, "d_hash"},
	[KM_QSTR_NAME] = {KS_QSTR, "name"},
	[KM_QSTR_LEN] = {KS_QSTR, "len"},
	[KM_MOUNT_PARENT] = {KS_MOUNT, "mnt_parent"},
	[KM_MOUNT_POINT] = {KS_MOUNT, "mnt_mountpoint"},
	[KM_MOUNT_MNT] = {KS_MOUNT, "mnt"},
	[KM_VFSMOUNT_ROOT] = {KS_VFSMOUNT, "mnt_root"},
};

struct type *kernel_struct(struct scope *s, enum kernel_struct which)
{
	struct type *t = scope_find(s, TAG_STRUCT, tags[which]);

	return t ? type_strip(t) : NULL;
}

uint32_t kernel_offset(struct scope *s, enum kernel_member m)
{
	struct type *t = kernel_struct(s, members[m].of);
	struct member at;

	return t && type_member(t, members[m].name, &at) ? at.bitoff / 8 : 0;
}

bool kernel_is(const struct type *t, enum kernel_struct which)
{
	return t && t->name && !strcmp(t->name, tags[which]);
}

bool kernel_is_member(const struct type *of, const char *name, enum kernel_member m)
{
	return kernel_is(of, members[m].of) && !strcmp(name, members[m].name);
}
