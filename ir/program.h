/*
 * program.h - the result of a compile: plain data, without pointers back into the compiler.
 *
 * The engines (kernel, VM) and the consumer use nothing else from the compiler. All memory belongs
 * to the compiler's arena.
 */
#ifndef IR_PROGRAM_H
#define IR_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "agg/kind.h"
#include "ir/format.h"

/*
 * The layout of records, keys and strings assumes a 64-bit little-endian machine. They are read on
 * the machine that wrote them.
 */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "dtrace needs a 64-bit little-endian machine, see docs/limits.md"
#endif

/* ------------------------------------------------------------ instructions */

/*
 * One eBPF instruction, in the layout of the kernel's struct bpf_insn. Some instructions contain
 * references, which an engine resolves before it runs the code:
 *   LD_IMM64, src INSN_MAP:        imm is an index into program.map
 *   LD_IMM64, src INSN_MAP_VALUE:  imm is an index into program.map; imm of the next
 *                                  instruction is an offset in the value of key 0
 *   CALL, src 0:                   imm is the number of a kernel helper
 *   CALL, src INSN_LOCAL:          imm is the distance to a function of this unit
 *   CALL, src INSN_KFUNC:          imm is an index into program.kfunc
 */
struct insn {
	uint8_t code;
	uint8_t dst : 4, src : 4;
	int16_t off;
	int32_t imm;
};

enum { INSN_MAP = 1, INSN_MAP_VALUE = 2, INSN_LOCAL = 1, INSN_KFUNC = 2 };

/* A kernel function that programs call. */
struct kfunc {
	const char *name;
	uint32_t btf_id; /* ID in the BTF of vmlinux; 0 in replay */
};

/* ------------------------------------------------------------------- units */

enum hook_kind {
	/* programs that dtrace runs itself: BEGIN, END, tick-N, iter:::bpf_prog */
	HOOK_RUN,
	HOOK_PROFILE,     /* timer of every CPU (perf cpu-clock) */
	HOOK_RAWTP,       /* raw tracepoint with BTF types (tp_btf) */
	HOOK_CGROUP_SKB,  /* packets at the root cgroup; the target is "ingress" or "egress" */
	HOOK_SOCKOPS,     /* sock_ops at the root cgroup */
	HOOK_FENTRY,      /* entry of a kernel function */
	HOOK_FEXIT,       /* return of a kernel function */
	HOOK_REPLAY,      /* an event that only replay has */
	HOOK_CGROUP_SOCK, /* sockets at the root cgroup; the target is "create" or "release" */
	/* BPF iterator, which runs when tracing starts, after everything else is attached */
	HOOK_ITER,
	HOOK_KPROBE,    /* entries of many kernel functions; see struct unit.point */
	HOOK_KRETPROBE, /* returns of many kernel functions */
	HOOK_UPROBE,    /* many instructions of processes */
	HOOK_URETPROBE, /* returns of many functions of processes */
	HOOK_KINST,     /* instructions of the kernel, with a perf event for each */
};

/*
 * One of the points that a program is attached to. When a point fires, the kernel tells the program
 * the point's cookie. The low 32 bits of the cookie are the index in unit.point.
 */
struct attach_point {
	uint64_t addr; /* address in the kernel, or offset in the file of a process */

	/*
	 * for points in processes: the file that contains the point; NULL for points in the kernel
	 */
	const char *file;
	int32_t pid;     /* for points in processes: the process ID, or 0 for all processes */
	uint64_t cookie; /* number that the program gets when the point fires */
	/*
	 * For points in processes: offset in the file of the counter of tracers, which a process
	 * can test to skip its probe. 0 if there is no counter.
	 */
	uint64_t semaphore;
	/* HOOK_KINST: descriptor of the perf event at the point, which is open while dtrace runs */
	int event;

	/*
	 * A point of an awaited probe (-Z: a probe that does not exist yet) has this probe's number
	 * in @awaited, from 1. Other points have 0. When the probe appears, kernel_enable() or
	 * kernel_enable_functions() attaches the points with its number. A module may have several
	 * functions with the name of the probe; @slot numbers these from 0.
	 */
	uint32_t awaited, slot;
};

/*
 * The programs that dtrace runs itself. RUN_ERROR is a hook of the compiler only: the clauses of
 * ERROR become a function of every unit in which a fault may occur. RUN_BPF_PROG runs once for each
 * BPF program of the machine; args[0] is that program's struct bpf_prog_info.
 */
enum run_kind { RUN_BEGIN, RUN_END, RUN_ERROR, RUN_TICK, RUN_BPF_PROG };

#define FUNC_PARAMS 5 /* maximum number of parameters, which have to be in registers */

/*
 * The parameters of a function. The kernel verifies a global function once, separately from its
 * callers, and trusts only that a parameter is NULL or points to @size bytes. It verifies other
 * functions again at each call.
 */
struct func_params {
	bool global;
	uint32_t n; /* number of parameters of a global function */
	/* number of bytes that a parameter points to; 0 if the parameter is a number */
	uint32_t size[FUNC_PARAMS];
};

/* A function of a unit. */
struct unit_func {
	const char *name;
	uint32_t insn; /* index of the function's first instruction */
	struct func_params params;
};

/* A unit: one eBPF program with its functions. */
struct unit {
	enum hook_kind hook;
	/*
	 * The meaning depends on hook. HOOK_RAWTP: name of the tracepoint. HOOK_CGROUP_SKB:
	 * direction. HOOK_ITER: kind of object. HOOK_FENTRY, HOOK_FEXIT: name of the function.
	 * Hooks with many points: the provider and its kind of probes, such as "fbt:::entry". All
	 * other hooks: name of the probe.
	 */
	const char *target;
	enum run_kind run;  /* for HOOK_RUN: the kind of program */
	uint64_t period_ns; /* for RUN_TICK and HOOK_PROFILE: the period in ns */
	/*
	 * A BTF id; 0 in replay. HOOK_RAWTP: id of the typedef btf_trace_<target>. HOOK_ITER: id of
	 * the function bpf_iter_<target>. HOOK_FENTRY, HOOK_FEXIT: id of the traced function.
	 */
	uint32_t attach_btf_id;
	/*
	 * @has_hidden: the unit has hidden clauses (of library texts). @has_probes: the unit has
	 * clauses of the user.
	 */
	bool has_hidden, has_probes;
	/* for HOOK_REPLAY: the unit may read the socket, which is the second argument */
	bool socket;
	/* for HOOK_REPLAY: the unit never reads the packet, which is the first argument */
	bool ignores_packet;
	/* the unit only asks the consumer for a sample of the aggregations */
	bool samples;
	/* the unit may depend on state of earlier firings; see ir_is_stateful() */
	bool stateful;
	/* points that the unit is attached to, for hooks with many points */
	struct attach_point *point;
	uint32_t npoint;
	/* indexes in program.probe of the probes of the unit's clauses; may contain duplicates */
	uint32_t *probe;
	uint32_t nprobe;
	/*
	 * If the clauses of the hook are split over several units (parts), the number of this part,
	 * from 0. The kernel runs the parts in the order of these numbers.
	 */
	uint32_t part;
	/*
	 * the unit runs instead of the previous unit of the same hook while that unit is
	 * interrupted; see compiler/code/units/nesting.c
	 */
	bool is_backup;
	/*
	 * for a unit with a backup: offset in the MAP_PERCPU value of the address of the CPU's
	 * counter (struct active_counter), which the engine stores; else 0
	 */
	uint32_t active_at;
	struct insn *insn;
	uint32_t ninsn;
	/* functions of the unit, in the order of their code; the first is the entry */
	struct unit_func *func;
	uint32_t nfunc;
	/*
	 * the user's longest clause, for messages, such as "udp:::send, line 3 of x.d"; NULL if the
	 * unit has none
	 */
	const char *longest;
};

/* -------------------------------------------------------------------- maps */

enum map_kind {
	/*
	 * one value that is mapped into dtrace's memory: struct globals, then D's global variables
	 */
	MAP_GLOBAL,
	/* one value for each CPU: struct percpu, aggregations without keys, scratch memory */
	MAP_PERCPU,
	MAP_RING,        /* the records */
	MAP_PERCPU_HASH, /* hash for aggregations with keys */
	/* table for aggregations in the run's arena (ir/table.h), on Linux 6.10 and later */
	MAP_TABLE,
	MAP_WAKE, /* ring buffer; a write wakes the engine's thread that enlarges tables */
	MAP_HASH, /* hash for associative arrays and thread-local variables */
	/*
	 * hash for arrays of the library; when it is full, the entry used least recently is dropped
	 */
	MAP_LRU_HASH,
	/* thread-local numbers: one value that the kernel keeps for each thread */
	MAP_TASK,
	/*
	 * facts about sockets: one value that the kernel keeps for each socket, and copies to the
	 * child of a listener
	 */
	MAP_SOCKET,
};

/*
 * In replay, this many bytes are readable at the start of every object that a program can reach
 * from the arguments of its hook.
 */
#define REPLAY_READABLE 4096

enum { MAP_ID_GLOBAL, MAP_ID_PERCPU, MAP_ID_RING, MAP_ID_FIRST_OTHER };

struct map_def {
	enum map_kind kind;
	const char *name;    /* at most 15 characters */
	uint32_t key_size;   /* for hashes: size of a key in bytes */
	uint32_t value_size; /* size of a value in bytes; MAP_RING does not use it */
	/*
	 * For hashes: maximum number of entries. 0 stands for 65,536 live, and for as many as fit
	 * in 1 GiB in replay. MAP_RING: size in bytes, a power of two.
	 */
	uint32_t max_entries;
	/* for hashes: memory for all keys is allocated at the start, which makes lookups faster */
	bool prealloc;
	bool sparse; /* for hashes in replay: values are sparse; see SPARSE_WORDS */
};

/* Returns whether the map is a part of the run's arena. */
static inline bool map_in_arena(const struct map_def *m)
{
	return m->kind == MAP_TABLE;
}

/*
 * Sparse values, in replay only. Most words of a histogram are 0. So a value of SPARSE_MIN bytes or
 * more is stored as a table of addresses of blocks of SPARSE_WORDS words. An address is 0 until
 * HELPER_agg_add adds to the block. Reading the map yields all words.
 */
#define SPARSE_WORDS 16
#define SPARSE_MIN 256

/* Returns the number of blocks of a value of @value_size bytes. */
static inline uint32_t sparse_blocks(uint32_t value_size)
{
	return (value_size / 8 + SPARSE_WORDS - 1) / SPARSE_WORDS;
}

/*
 * Controls which clauses run. GATE_PREPARE lets only hidden clauses run, which record existing
 * objects before the first probe fires.
 */
enum gate { GATE_CLOSED, GATE_OPEN, GATE_PREPARE };

/* The start of the MAP_GLOBAL value. */
struct globals {
	uint32_t gate;      /* value of enum gate; units of HOOK_RUN ignore it */
	uint32_t iterating; /* 1 while iterators report objects that existed at the start */
	/* CLOCK_REALTIME - CLOCK_TAI in ns; walltimestamp is TAI plus this difference */
	int64_t tai_offset;
	/* number of calls of speculation() that found all speculations in use */
	uint64_t spec_unavail;
	/*
	 * number of calls of speculation() that found none free, but one being committed or
	 * discarded
	 */
	uint64_t spec_busy;
	/* kernel thread ID of dtrace's thread while it changes a map, else 0 */
	uint32_t map_writer;
	uint32_t pad1;
	int64_t real_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC in ns */
	/*
	 * time of CLOCK_MONOTONIC in ns at which CLOCK_REALTIME was last set; 0 if it was not set
	 * since tracing started
	 */
	uint64_t clock_set;
	uint64_t pad2;
	/*
	 * From GLOBAL_GEN_OFF on, the value has a uint32_t with the generation of each aggregation,
	 * in the order of program.agg.
	 */
};
#define GLOBAL_GEN_OFF 64
#define AGG_GEN_SIZE 4 /* size in bytes of the generation at the start of a key */

/* The start of the MAP_PERCPU value: counters of this CPU. */
struct percpu {
	/*
	 * number of firings, without those of hidden clauses and of probes that dtrace fires itself
	 * (RUN_BEGIN and so on); 0 unless compile_opts.counted is set
	 */
	uint64_t events;
	uint64_t drops;     /* records lost because the ring was full */
	uint64_t agg_drops; /* updates of aggregations lost because a new key had no room */
	/*
	 * stores to associative arrays and thread-local variables lost because a new key had no
	 * room
	 */
	uint64_t dyn_drops;
	uint64_t err_drops;  /* number of faults whose record was lost */
	uint64_t unreadable; /* number of packets skipped because bytes of them could not be read */
	/*
	 * number of firings that did not run, or not to their end: another program was active, no
	 * scratch memory was free, or there was no room to pass state to the next part of a unit
	 */
	uint64_t nested;
	/* number of firings that the kernel counts as missed, but that a backup unit ran */
	uint64_t backup_runs;
};

/*
 * The location of an argument of a static probe (USDT) that dtrace attaches during the run (-Z).
 * The MAP_GLOBAL value has rows of LATE_ARGS such structs, from program.late_args on. Each point of
 * such a probe has a row, whose number is the upper half of the point's cookie.
 */
struct late_arg {
	/* the constant, or the displacement in the sum reg + index * scale + value */
	int64_t value;
	int32_t scale;       /* factor of register @index */
	uint16_t reg, index; /* offsets of the two machine registers in the context */
	uint8_t has;         /* LATE_ARG_REG, LATE_ARG_INDEX: the registers that are used */
	/*
	 * size in bytes (1, 2, 4 or 8) of an argument in memory, whose address is the sum; 0 if the
	 * sum itself is the argument
	 */
	uint8_t size;
	uint8_t shift; /* number of upper bits to ignore */
	uint8_t sgn;
	uint32_t pad;
};

enum { LATE_ARG_REG = 1, LATE_ARG_INDEX = 2 };

#define LATE_ARGS 10 /* arg0 to arg9 */

/* ----------------------------------------------------------------- records */

/*
 * A record, as a clause writes it and the consumer reads it, in host byte order:
 *
 *   0        4        8
 *   +--------+--------+------------------------------+
 *   |  epid  |  cpu   | fields, at field.off ...     |   clause_info.rec_size bytes
 *   +--------+--------+------------------------------+
 *
 * epid is the enabled probe ID: 1 + the index into program.clause. An epid of 0 marks a fault. If a
 * clause has actions in the branches of an if, its record has a byte for each branch. That byte is
 * 0 if the branch was not taken, and then the fields of the branch are undefined.
 */
struct record {
	uint32_t epid;
	uint32_t cpu;
};

/*
 * The record of a clause with speculate() has a struct spec_id at clause_info.spec. An id of 0
 * means that speculate() was not reached. The consumer keeps the record until a spec_record with
 * the same id commits or discards it. The spec_record comes after all records of the speculation.
 * Ids are used again. @turn counts the uses of an id: if a spec_record is lost, the consumer does
 * not mix the records of two uses.
 */
struct spec_id {
	uint32_t id, turn;
};

#define EPID_SPEC UINT32_MAX

struct spec_record {
	uint32_t epid; /* always EPID_SPEC */
	uint32_t cpu;
	struct spec_id spec;
	uint64_t commit; /* 1 if the speculation is committed, 0 if it is discarded */
};

enum fault_code { /* the codes of DTrace's constants DTRACEFLT_*, which are arg4 of ERROR */
		  FAULT_UNKNOWN,
		  FAULT_BADADDR,
		  FAULT_BADALIGN,
		  FAULT_ILLOP,
		  FAULT_DIVZERO,
		  FAULT_NOSCRATCH,
		  FAULT_KPRIV,
		  FAULT_UPRIV,
		  FAULT_TUPOFLOW,
		  FAULT_BADSTACK,
		  FAULT_LIBRARY,
};

struct fault_record {
	uint32_t epid; /* always 0 */
	uint32_t cpu;
	uint32_t clause; /* epid of the clause in which the fault occurred */
	/* number of the action, from 1; 0 if the fault occurred in the predicate */
	int32_t action;
	int32_t offset; /* offset in bytes in the unit's code; -1 if it is not known */
	uint32_t code;  /* enum fault_code */
	uint64_t value; /* the bad address, for faults that have one */
};

/*
 * A string in a record, key or variable. It has a u32 tag, and then the payload. Addresses stay
 * binary until they are printed. In keys, unused bytes of the payload are zero.
 */
enum dstr_tag {
	DSTR_TEXT,   /* characters up to a NUL or the end of the slot; all bytes are 0 for "" */
	DSTR_INTERN, /* u32 index into program.str */
	DSTR_IP4,    /* IPv4 address of 4 bytes in network byte order, printed as by inet_ntoa() */
	/* IPv6 address of 16 bytes in network byte order, printed as by inet_ntoa6() */
	DSTR_IP6,
	DSTR_NULL, /* no string (NULL) */
	DSTR_INT,  /* u32 low and u32 high half of a number, u32 base; printed as by lltostr() */
	/*
	 * result of strjoin(): u32 size of the first slot, the first slot, the second slot (to the
	 * end)
	 */
	DSTR_JOIN,
	/*
	 * three u32: an enum named_kind, the low half of a number, and its high half. The consumer
	 * prints the name that the number stands for, such as that of a user.
	 */
	DSTR_NAMED,
	/*
	 * IPv6 address of 16 bytes in network byte order, printed as by inet_ntop(AF_INET6). In
	 * keys, only addresses that inet_ntoa6() would print differently (IPv4 mapped and
	 * compatible addresses) have this tag.
	 */
	DSTR_NTOP6,
};

#define NAMED_UNKNOWN "unknown"

/* The kinds of numbers whose names the consumer knows. */
enum named_kind { NAMED_USER, NAMED_CGROUP, NAMED_CONTAINER, NAMED_NETNS, NAMED_MAX };

/*
 * A kernel stack in a record or key. This header comes first, and then addresses of 8 bytes, the
 * innermost first. A 0 or the end of the field ends the list. A stack taken in a hook may begin
 * with frames of tracing itself, which the consumer finds by their names and removes.
 */
struct stack_slot {
	uint32_t limit; /* maximum number of frames to show */
	/* 1 if the stack was taken in a hook, 0 if it is the stack that a sample interrupted */
	uint32_t within;
};

/* The header of a stack of a process, which has no frames of tracing. */
struct ustack_slot {
	uint32_t limit; /* maximum number of frames to show; 0 if there is no stack (replay) */
	uint32_t unused;
	/* as in struct uaddr; the addresses of FIELD_USTACK begin with this number */
	uint64_t pid;
};

/* An address in a process. */
struct uaddr {
	/*
	 * The lower half is the ID of the process in the initial pid namespace. The upper half is
	 * the mark of its address space, __address_space of translators/psinfo.d: a PID may belong
	 * to several programs, one after the other.
	 */
	uint64_t pid, addr;
};

/* extra frames that are recorded because some belong to tracing itself */
#define STACK_TRACER_FRAMES 8
#define STACK_FRAMES 20      /* default of -x stackframes */
#define JSTACK_FRAMES 50     /* default of -x jstackframes */
#define STACK_FRAMES_MAX 127 /* the kernel's limit (kernel.perf_event_max_stack) */

/* The header of a packet that pcap() recorded; @len bytes of the packet follow. */
struct packet_slot {
	uint64_t time; /* time of the record, as in walltimestamp */
	uint32_t wire; /* original length of the packet in bytes */
	uint32_t len;  /* number of recorded bytes */
	uint32_t link; /* type of link, as a DLT_ constant of libpcap */
	uint32_t pad;
};

/*
 * Values that are recorded after the packet, in this order. A value is -1 if the probe's arguments
 * do not have it.
 */
enum packet_note {
	PACKET_PID,
	PACKET_NAME,
	PACKET_USER,
	PACKET_CGROUP,
	PACKET_CONTAINER,
	PACKET_NETNS,
	PACKET_IFACE,
	PACKET_REASON,
	PACKET_NNOTE
};

/*
 * The name of the writer in the section header of captures that dtrace writes. In such a file, the
 * flags of packets give their direction.
 */
#define CAPTURE_WRITER "dtrace"

/*
 * The state of chill() for a CPU. A map of its own has the states of all CPUs, followed by memory
 * that chill() copies to pass time.
 */
struct chill_account {
	uint64_t since; /* start of the accounting period in ns */
	uint64_t ns;    /* time in ns that chill() has waited since then */
};

#define CHILL_CPUS 4096
#define CHILL_ACCOUNTS (CHILL_CPUS * 16)
#define CHILL_MEMORY (1 << 22)

#define PCAPSIZE 9216 /* default of -x pcapsize */

enum field_kind {
	FIELD_INT,    /* signed integer of 1, 2, 4 or 8 bytes */
	FIELD_UINT,   /* unsigned integer */
	FIELD_STRING, /* string with its tag (enum dstr_tag) */
	FIELD_BYTES,  /* a copy of memory */
	FIELD_STACK,  /* struct stack_slot and addresses */
	FIELD_USTACK, /* struct ustack_slot and addresses */
	FIELD_SYM,    /* a kernel address, printed as mod`name */
	FIELD_MOD,    /* a kernel address, printed as mod */
	FIELD_USYM,   /* struct uaddr, printed as object`name */
	FIELD_UMOD,   /* struct uaddr, printed as object */
	FIELD_UADDR,  /* struct uaddr, printed as object`name+0x1 */
	/* a kernel stack read from a file: a string with one frame per line */
	FIELD_FRAMES,
	FIELD_UFRAMES, /* a stack of a process, read from a file */
	FIELD_KIND_MAX,
};

struct field {
	enum field_kind kind;
	uint32_t off; /* offset in bytes from the start of the record or key */
	uint32_t size;
	const char *label; /* name of the value, an identifier; NULL if it has none */
	bool fixed;        /* the value is a constant */
	/*
	 * the value is a string of blanks or arrows, as in str_is_layout(), and is printed in text
	 * only
	 */
	bool layout;
	bool address; /* for FIELD_UINT: printed as 0x... */
	bool own;     /* the string is always a literal of the program */
	/* for FIELD_STRING that is an array of characters with all its bytes: its size, else 0 */
	uint32_t array;
};

/* --------------------------------------------------------------------- types */

/* A type, as far as print() needs it. Pointers are not followed, so there are no cycles. */
enum shape_kind {
	SHAPE_INT,
	SHAPE_CHAR,
	SHAPE_FLOAT,
	SHAPE_ENUM, /* enum with n tags */
	SHAPE_POINTER,
	SHAPE_STRING,
	SHAPE_ARRAY,  /* array of n elements of type `of` */
	SHAPE_STRUCT, /* struct or union with n members */
};

struct shape {
	enum shape_kind kind;
	const char *name; /* name of the type, such as "struct s" or "char [8]" */
	uint32_t size;
	uint32_t n;
	bool function; /* for SHAPE_POINTER: points to a function */
	bool sgn;      /* for SHAPE_INT: signed */
	const struct shape *of;
	const struct shape_member *member;
	const struct shape_tag *tag;
};

struct shape_member {
	const char *name; /* name of the member; NULL if it is anonymous */
	const struct shape *shape;
	uint32_t bitoff; /* offset in bits from the start of the enclosing type */
	uint32_t bits;   /* width of a bit-field in bits; 0 if the member is none */
};

struct shape_tag {
	const char *name;
	int64_t value;
};

/* -------------------------------------------------- probes, clauses, actions */

struct probe_info {
	uint32_t id; /* the ID that -l prints */
	const char *prov, *mod, *func, *name;
};

enum action_kind {
	ACT_DEFAULT,  /* empty body: prints only the probe */
	ACT_TRACE,    /* prints field[0] */
	ACT_STACK,    /* prints the stack in field[0] */
	ACT_TRACEMEM, /* prints the bytes in field[0]; if nfield is 2, field[1] says how many */
	ACT_PRINT,    /* prints field[0], which has the type @shape */
	ACT_PRINTF,   /* prints the fields in format fmt */
	/* prints aggregations in format fmt, or in the default format if fmt is NULL */
	ACT_PRINTA,
	ACT_CLEAR, /* clears agg[0] */
	/* truncates agg[0]; if there is a field, field[0] is the number of keys to keep */
	ACT_TRUNC,
	ACT_NORMALIZE,   /* normalizes agg[0] by field[0] */
	ACT_DENORMALIZE, /* undoes the normalization of agg[0] */
	ACT_EXIT,        /* ends the run with the exit status in field[0] */
	/*
	 * Sets option str to value str2, which is NULL if there is no value. If there are fields,
	 * the option is in field[0], and the value is in field[1] if nfield is 2.
	 */
	ACT_SETOPT,
	/*
	 * writes a packet to a file; field[0] has struct packet_slot and bytes, the next fields
	 * have the values of enum packet_note
	 */
	ACT_PCAP,
	ACT_CAPTURE, /* like ACT_PCAP, for the file of -x capture */
	ACT_SAMPLE,  /* takes a sample for output that shows aggregations over time */
	ACT_SYSTEM,  /* runs the command that is made of fmt and the fields */
	/*
	 * sends output to the file whose name is made of fmt and the fields; if fmt is NULL, to the
	 * original output
	 */
	ACT_FREOPEN,
	ACT_FTRUNCATE,
	/* the record belongs to a speculation; its struct spec_id is at clause_info.spec */
	ACT_SPECULATE,

	/*
	 * These two are carried out in the kernel. The consumer sees only the records that they
	 * send.
	 */
	ACT_COMMIT,
	ACT_DISCARD,
};

struct action_info {
	enum action_kind kind;
	/*
	 * offset of a byte that is 0 if the action was not reached; 0 if the action is always
	 * reached
	 */
	uint32_t when;
	const struct format *fmt;
	struct field *field;
	uint32_t nfield;
	uint32_t *agg; /* indexes in program.agg */
	uint32_t nagg;
	/* for freopen(): the name of the file if it is constant, else NULL; for setopt(): both
	 * texts */
	const char *str, *str2;
	const struct shape *shape;
};

struct clause_info {
	uint32_t probe;    /* index into program.probe */
	uint32_t rec_size; /* size of a record in bytes; 0 if the clause makes no records */
	/* offset of struct spec_id in the record; 0 if the clause has no speculate() */
	uint32_t spec;
	struct action_info *act;
	uint32_t nact;
	uint32_t time; /* offset of walltimestamp (8 bytes) in the record; 0 if it has none */
};

/* ------------------------------------------------------------ aggregations */

/*
 * Describes an aggregation and where its values are. agg/value.h and agg/hist.h describe the words
 * of a value.
 *
 * An aggregation with keys is in map @map, with one value for each CPU. A key begins with a u32
 * generation, which the program reads from struct globals. To clear or truncate, the consumer
 * increments the generation, so that concurrent updates belong to the next snapshot.
 *
 * An aggregation without keys is at offset @off of the MAP_PERCPU value, and has no generation.
 * After a clear(), the consumer subtracts the value that it read at the clear. A value of min() or
 * max() contains a generation instead.
 */
struct agg_info {
	uint32_t index;   /* index in program.agg */
	const char *name; /* name without the '@'; "_" for a plain @ */
	struct agg_kind kind;
	/* divisor that normalize() set, if the aggregation comes from merged files; otherwise 0 */
	int64_t normal;
	struct field *key; /* fields of the key; field.off counts from the start of the map key */
	uint32_t nkey;
	uint32_t key_size; /* size of the map key in bytes, with the generation */
	int32_t map;       /* index into program.map; -1 if the aggregation has no keys */
	uint32_t table;    /* for MAP_TABLE: the number of the table in the arena, from 0 */
	/* for MAP_TABLE: index of the map for keys that come while the table is full; else 0 */
	int32_t overflow;
	uint32_t off;
};

/* Result of looking up a kernel symbol by name. */
enum symbol_found { SYMBOL_FOUND, SYMBOL_NO_NAME, SYMBOL_NO_MODULE };

/* ----------------------------------------------------------------- program */

/* Initial bytes of the MAP_GLOBAL value that are not 0. */
struct init {
	uint32_t off, size;
	const void *data;
};

/*
 * How to find the int in which the kernel counts that a program runs on a CPU (bpf_prog.active,
 * which __bpf_trace_run() in kernel/trace/bpf_trace.c uses). All members are 0 if that is not
 * known, or if no unit has a backup.
 */
struct active_counter {
	uint32_t progs;           /* BTF id of bpf_iter_bpf_prog() */
	uint32_t active, aux, id; /* offsets of bpf_prog.active, bpf_prog.aux, bpf_prog_aux.id */
	uint32_t values;          /* offset of bpf_array.pptrs */
};

struct program {
	struct init *init;
	uint32_t ninit;
	struct unit *unit;
	uint32_t nunit;
	struct map_def *map;
	uint32_t nmap;
	struct kfunc *kfunc;
	uint32_t nkfunc;
	/* if there is an arena: index of the MAP_WAKE, and BTF id of bpf_arena_alloc_pages() */
	uint32_t wake, arena_alloc;
	struct active_counter active;
	struct probe_info *probe;
	uint32_t nprobe;
	struct clause_info *clause;
	uint32_t nclause;
	struct agg_info *agg;
	uint32_t nagg;
	const char **str;
	uint32_t nstr;
	/* offset of the rows of struct late_arg in the MAP_GLOBAL value; 0 if there are none */
	uint32_t late_args;
	bool destructive; /* the program changes more than its own output, so it needs -w */
	bool may_destroy; /* with other constants, such as macro arguments, it would need -w */
	bool names;       /* the program may produce strings of kind DSTR_NAMED */
	/* the program reads the time at which the kernel says that packets arrived */
	bool stamps;
	/* units may fire while the kernel changes a map for dtrace; see globals.map_writer */
	bool checks_map_writer;
	const char *impossible; /* why the program cannot run here, for a message; NULL if it can */
	uint32_t strsize;       /* maximum size of a string with its NUL; 0 if it is not limited */
};

#endif
