/*
 * helpers.h - the kernel helpers that generated code calls.
 *
 * The numbers are those of enum bpf_func_id in the kernel's include/uapi/linux/bpf.h.
 */
#ifndef IR_HELPERS_H
#define IR_HELPERS_H

#define HELPERS(X) \
	X(map_lookup_elem, 1) \
	X(map_update_elem, 2) \
	X(map_delete_elem, 3) \
	X(ktime_get_ns, 5) \
	X(get_prandom_u32, 7) \
	X(get_smp_processor_id, 8) \
	X(get_current_pid_tgid, 14) \
	X(skb_load_bytes, 26) \
	X(get_socket_cookie, 46) \
	X(sock_ops_cb_flags_set, 59) \
	X(probe_write_user, 36) \
	X(get_stack, 67) \
	X(sk_storage_get, 107) \
	X(send_signal, 109) \
	X(probe_read_user, 112) \
	X(probe_read_user_str, 114) \
	X(probe_read_kernel, 113) \
	X(probe_read_kernel_str, 115) \
	X(ringbuf_output, 130) \
	X(ringbuf_reserve, 131) \
	X(ringbuf_submit, 132) \
	X(ringbuf_discard, 133) \
	X(get_task_stack, 141) \
	X(task_storage_get, 156) \
	X(get_current_task_btf, 158) \
	X(sock_from_file, 162) \
	X(get_attach_cookie, 174) \
	X(task_pt_regs, 175) \
	X(ktime_get_tai_ns, 208) \
	/* \
	 * Only in replay. The arguments are (map, key, word, by, also). Adds @by to word @word \
	 * of the key's value, and @also to word 0. \
	 */ \
	X(agg_add, 65536)

/*
 * The flag BPF_RB_FORCE_WAKEUP of ringbuf_output(). Nobody reads the ring that wakes the engine, so
 * without this flag only the first record would wake it.
 */
#define WAKE_FLAG 2

enum helper {
#define X(name, n) HELPER_##name = n,
	HELPERS(X)
#undef X
};

#endif
