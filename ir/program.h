/*
 * program.h - a compiled D program: plain data, no pointers back.
 *
 * This is all that the engines (kernel, VM) and the consumer know of the
 * compiler.  Everything lives in the compiler's arena.
 */
#ifndef IR_PROGRAM_H
#define IR_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "agg/agg.h"
#include "ir/format.h"

/* Records, keys, strings in binary and D's own layouts are read as they were written. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "dtrace needs a 64-bit little-endian machine, see docs/limits.md"
#endif

/* ------------------------------------------------------------ instructions */

/*
 * One eBPF instruction, laid out as the kernel's struct bpf_insn.  Before an
 * engine resolves them, these stand for references:
 *   LD_IMM64, src INSN_MAP:        imm = index into program.map
 *   LD_IMM64, src INSN_MAP_VALUE:  imm = index into program.map, next insn's
 *                                  imm = offset in the value of key 0
 *   CALL, src 0:                   imm = kernel helper number
 *   CALL, src INSN_LOCAL:          imm = relative: subprogram in this unit
 *   CALL, src INSN_KFUNC:          imm = index into program.kfunc
 */
struct insn {
	uint8_t code;
	uint8_t dst : 4, src : 4;
	int16_t off;
	int32_t imm;
};

enum { INSN_MAP = 1, INSN_MAP_VALUE = 2, INSN_LOCAL = 1, INSN_KFUNC = 2 };

struct kfunc {
	const char *name;
	uint32_t btf_id; /* in vmlinux BTF; 0 in replay */
};

/* ------------------------------------------------------------------- units */

enum hook_kind {
	HOOK_RUN,         /* run by us at the right moment: BEGIN, END, ERROR, tick-N */
	HOOK_PROFILE,     /* perf cpu-clock on every CPU */
	HOOK_RAWTP,       /* BTF-typed raw tracepoint (tp_btf) */
	HOOK_CGROUP_SKB,  /* target "ingress" or "egress", root cgroup */
	HOOK_SOCKOPS,     /* sock_ops, root cgroup */
	HOOK_FENTRY,      /* a kernel function is called */
	HOOK_FEXIT,       /* it returns */
	HOOK_REPLAY,      /* an event of replay's own */
	HOOK_CGROUP_SOCK, /* target "create", root cgroup */
	HOOK_ITER,        /* BPF iterator, run once when everything else is live */
	HOOK_KPROBE,      /* kernel functions are called, many at once: struct unit.point */
	HOOK_KRETPROBE,   /* they return */
	HOOK_UPROBE,      /* instructions of processes, likewise */
	HOOK_URETPROBE,   /* functions of processes return */
	HOOK_KINST,       /* instructions of the kernel, by an event each */
};

/*
 * Where a program is that is attached to many places at once.  Which of them fired the kernel tells
 * the program by a number (its cookie): the index among the unit's points.
 */
struct attach_point {
	uint64_t addr; /* in the kernel; of a process: in the file */

	/* Of a process: */
	const char *file;
	int32_t pid;        /* 0: of all */
	uint64_t cookie;    /* what its program is told */
	uint64_t semaphore; /* where the file counts who traces it; 0: it does not */
	/* HOOK_KINST: the perf event there, which is open while the process lives */
	int event;

	/*
	 * Not 0: nothing is there yet.  What comes is attached by this number: see kernel_enable().
	 * Several functions of a module may come under one number: @slot tells these points apart,
	 * counted from 0.
	 */
	uint32_t awaited, slot;
};

enum run_kind { RUN_BEGIN, RUN_END, RUN_ERROR, RUN_TICK };

#define FUNC_PARAMS 5 /* as many registers there are for them */

/*
 * What a function is called with.  A global one the kernel verifies by itself, once: it trusts only
 * that a parameter is NULL or points to as many bytes as said here.  Others it walks at each call.
 */
struct func_params {
	bool global;
	uint32_t n;                 /* if it is */
	uint32_t size[FUNC_PARAMS]; /* 0: a number */
};

/* A function of a unit. */
struct unit_func {
	const char *name;
	uint32_t insn; /* where it begins */
	struct func_params params;
};

/* One eBPF program. */
struct unit {
	enum hook_kind hook;
	const char *target; /* HOOK_RAWTP: tracepoint; HOOK_CGROUP_SKB: direction; HOOK_ITER: what
			       of; else probe name */
	enum run_kind run;  /* HOOK_RUN */
	uint64_t period_ns; /* RUN_TICK, HOOK_PROFILE */
	uint32_t attach_btf_id; /* HOOK_RAWTP: of typedef btf_trace_<target>; HOOK_ITER: of function
				   bpf_iter_<target>; FENTRY, FEXIT: of the function; 0 in replay */
	bool has_hidden, has_probes; /* hidden clauses are in it; clauses of probes are */
	bool socket; /* HOOK_REPLAY: it may look at the socket, the second argument */
	/* all it does is to ask the consumer for a sample of the aggregations */
	bool samples;
	/* what it does may hang on what was run before it (ir_is_stateful()) */
	bool stateful;
	struct attach_point *point; /* HOOK_KPROBE, HOOK_KRETPROBE, HOOK_KINST: where it goes */
	uint32_t npoint;
	/* of the clauses of its hook: 0, 1 ...; they run in turn for each event */
	uint32_t part;
	/* steps in for the unit before it of the same hook; see compiler/code/link.c */
	bool is_backup;
	struct insn *insn;
	uint32_t ninsn;
	struct unit_func *func; /* where it starts, and those it calls, as they lie */
	uint32_t nfunc;
	const char *longest; /* the user's longest clause in it, for messages: "udp:::send, line 3
				of x.d"; NULL: the user has none in it */
};

/* -------------------------------------------------------------------- maps */

enum map_kind {
	MAP_GLOBAL,      /* one value, mapped into our memory: struct globals, then D's globals */
	MAP_PERCPU,      /* one value per CPU: struct percpu, un-keyed aggregations, scratch */
	MAP_RING,        /* the records */
	MAP_PERCPU_HASH, /* a keyed aggregation */
	MAP_TABLE,       /* the same in the arena of the run (ir/table.h): Linux 6.10 and later */
	MAP_HASH,        /* associative array, thread-local variables */
	MAP_LRU_HASH,    /* array of a library text: when full, what was not used longest goes */
	/* thread-local numbers: one value that the kernel keeps with each thread */
	MAP_TASK,
};

/*
 * In replay, so many bytes from the start of any object that a hook shows, or leads to, can be
 * read.
 */
#define REPLAY_READABLE 4096

enum { MAP_ID_GLOBAL, MAP_ID_PERCPU, MAP_ID_RING, MAP_ID_FIRST_OTHER };

struct map_def {
	enum map_kind kind;
	const char *name;     /* at most 15 characters */
	uint32_t key_size;    /* hashes */
	uint32_t value_size;  /* MAP_RING: unused */
	uint32_t max_entries; /* hashes; MAP_RING: bytes, a power of two.  0: 1 GiB (replay) */
	bool prealloc;        /* hashes: room for all keys from the start, faster to look up */
	bool sparse;          /* hashes, replay: see SPARSE_WORDS */
};

/*
 * Most words of a histogram are 0.  In replay a value of SPARSE_MIN bytes or more is a table of the
 * addresses of blocks of so many words, 0 for those that nobody has written to: HELPER_sparse_block
 * makes one.  Whoever reads the map gets all words.
 */
#define SPARSE_WORDS 16
#define SPARSE_MIN 256

/* How many blocks @value_size bytes are. */
static inline uint32_t sparse_blocks(uint32_t value_size)
{
	return (value_size / 8 + SPARSE_WORDS - 1) / SPARSE_WORDS;
}

/* GATE_PREPARE: only hidden clauses run, to learn what there is before the first probe fires. */
enum gate { GATE_CLOSED, GATE_OPEN, GATE_PREPARE };

/* Start of the MAP_GLOBAL value. */
struct globals {
	uint32_t gate;         /* enum gate.  HOOK_RUN units do not look */
	uint32_t iterating;    /* 1: what exists is still being walked through */
	int64_t tai_offset;    /* CLOCK_REALTIME - CLOCK_TAI, ns: walltimestamp = tai + this */
	uint64_t spec_unavail; /* speculation() found none free */
	uint64_t spec_busy;    /* ... though one was just being committed or discarded */
	/* our thread that changes maps, by the number that the kernel has for it; 0: none */
	uint32_t map_writer;
	uint32_t pad1;
	uint64_t pad2[3];
	/* from GLOBAL_GEN_OFF: uint32_t generation of each aggregation (program.agg order) */
};
#define GLOBAL_GEN_OFF 64

/* Start of the MAP_PERCPU value: counters, each kept by the CPU it is of. */
struct percpu {
	uint64_t events;     /* firings of live probes */
	uint64_t drops;      /* records that found no room */
	uint64_t agg_drops;  /* updates of aggregations that found no room for a new key */
	uint64_t dyn_drops;  /* associative-array and thread-local stores likewise */
	uint64_t err_drops;  /* faults whose record found no room */
	uint64_t unreadable; /* packets given up because their header could not be read */
	uint64_t nested;     /* firings lost to re-entry */
	/* firings that a program's twin took over: the kernel counts them as missed */
	uint64_t backup_runs;
};

/*
 * Where a static probe that came while the program ran has an argument.  The MAP_GLOBAL value has
 * LATE_ARGS of them for each such place in a file, by the upper half of its cookie: see struct
 * program.late_args.
 */
struct late_arg {
	int64_t value;       /* what it is, or, with the registers, where */
	int32_t scale;       /* of what register @index has */
	uint16_t reg, index; /* offsets in the context */
	uint8_t has;         /* LATE_ARG_REG, LATE_ARG_INDEX: the registers count */
	uint8_t size;        /* it is in memory: 1, 2, 4 or 8 bytes; 0: it is not */
	uint8_t shift;       /* so many bits above it mean nothing */
	uint8_t sgn;
	uint32_t pad;
};

enum { LATE_ARG_REG = 1, LATE_ARG_INDEX = 2 };

#define LATE_ARGS 10 /* arg0 to arg9 */

/* ----------------------------------------------------------------- records */

/*
 * A record, as a clause writes it and the consumer reads it; native byte order:
 *
 *   0        4        8
 *   +--------+--------+------------------------------+
 *   |  epid  |  cpu   | fields, at field.off ...     |   clause_info.rec_size bytes
 *   +--------+--------+------------------------------+
 *
 * epid is 1 + the index into program.clause; 0 is a fault.  A clause with actions in
 * the branches of an if has a byte for each branch, and what was not reached has not
 * written its fields.
 */
struct record {
	uint32_t epid;
	uint32_t cpu;
};

/*
 * What is recorded speculatively, in a clause with speculate(), has a struct spec_id at
 * clause_info.spec; id 0: it was not reached.  The consumer keeps it until a spec_record
 * with the same id says what becomes of it, which comes behind all that belongs to it.  The
 * turn tells uses of one id apart, should such a record be lost.
 */
struct spec_id {
	uint32_t id, turn;
};

#define EPID_SPEC UINT32_MAX

struct spec_record {
	uint32_t epid; /* EPID_SPEC */
	uint32_t cpu;
	struct spec_id spec;
	uint64_t commit; /* 0: discard */
};

enum fault_code { /* DTRACEFLT_*: what ERROR's arg4 holds */
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
	uint32_t epid; /* 0 */
	uint32_t cpu;
	uint32_t clause; /* epid of the clause that faulted */
	int32_t action;  /* 1-based; 0: in the predicate */
	int32_t offset;  /* byte offset in the unit's code, -1: unknown */
	uint32_t code;   /* enum fault_code */
	uint64_t value;  /* the address, for the faults that have one */
};

/*
 * A string in a record, key or variable: u32 tag, then the payload.  Addresses
 * stay binary until somebody prints them.  Unused payload bytes are zero in keys.
 */
enum dstr_tag {
	DSTR_TEXT,   /* payload: characters; ends at a NUL or with the slot.  All zero: "" */
	DSTR_INTERN, /* u32 index into program.str */
	DSTR_IP4,    /* 4 bytes, network order: prints as inet_ntoa() */
	DSTR_IP6,    /* 16 bytes, network order: prints as inet_ntoa6() */
	DSTR_NULL,   /* no string */
	DSTR_INT,    /* u32 low, u32 high half, u32 base: prints as lltostr() */
	DSTR_JOIN,   /* u32 size of the first slot, the first slot, the second (to the end):
			prints as strjoin() */
	/* u32 enum named_kind, u32 low, u32 high half of a number: prints as what that is called */
	DSTR_NAMED,
	DSTR_NTOP6, /* 16 bytes, network order: prints as inet_ntop(AF_INET6).  In keys only if that
		       differs from inet_ntoa6() (IPv4 mapped and compatible addresses) */
};

#define NAMED_UNKNOWN "unknown"

/* What a number is of whose name the consumer knows. */
enum named_kind { NAMED_USER, NAMED_CGROUP, NAMED_CONTAINER, NAMED_NETNS, NAMED_MAX };

/*
 * A kernel stack in a record or key: this, then addresses of 8 bytes, innermost
 * first, up to a 0 or the end.  Frames of tracing itself may lie on top of a stack
 * that was taken within a hook; the consumer, which knows their names, takes them
 * off.  limit 0: there is no stack (replay).
 */
struct stack_slot {
	uint32_t limit;  /* frames to show */
	uint32_t within; /* 1: taken within a hook; 0: of what a sample interrupted */
};

/* The same of a process: nothing of tracing is on it. */
struct ustack_slot {
	uint32_t limit; /* 0: there is none (replay) */
	uint32_t unused;
	uint64_t pid; /* as the host numbers it; the addresses of FIELD_USTACK begin with it */
};

/* An address in a process. */
struct uaddr {
	uint64_t pid, addr;
};

#define STACK_TRACER_FRAMES 8 /* room for frames of tracing itself */
#define STACK_SHORT 8         /* as many make a short stack, those of tracing included */
#define STACK_FRAMES 20       /* -x stackframes */
#define JSTACK_FRAMES 50      /* -x jstackframes */
#define STACK_FRAMES_MAX 127  /* as many as the kernel looks at (kernel.perf_event_max_stack) */

/* What pcap() recorded of a packet: this, then @len of its bytes. */
struct packet_slot {
	uint64_t time; /* walltimestamp */
	uint32_t wire; /* bytes that it had */
	uint32_t len;
	uint32_t link; /* DLT_ of libpcap */
	uint32_t pad;
};

/*
 * What is recorded behind it, in this order: where the probe's arguments say it, the owner of
 * its socket, the interface and why it was dropped; else the number -1.
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
 * Who wrote a capture, as its section header says: of such a file the flags of packets say the way
 * they went.
 */
#define CAPTURE_WRITER "dtrace"

/* What chill() keeps of each CPU, in a map of its own; behind them is memory to pass time with. */
struct chill_account {
	uint64_t since; /* ns */
	uint64_t ns;    /* that it has waited since */
};

#define CHILL_CPUS 4096
#define CHILL_ACCOUNTS (CHILL_CPUS * 16)
#define CHILL_MEMORY (1 << 22)

#define PCAPSIZE 9216 /* -x pcapsize */

enum field_kind {
	FIELD_INT,    /* signed, size 1 2 4 8 */
	FIELD_UINT,   /* unsigned */
	FIELD_STRING, /* a dstr slot of that size (tag included) */
	FIELD_BYTES,  /* memory, by value */
	FIELD_STACK,  /* struct stack_slot and addresses */
	FIELD_USTACK, /* struct ustack_slot and addresses */
	FIELD_SYM,    /* an address in the kernel, shown as mod`name, */
	FIELD_MOD,    /* or as mod */
	FIELD_USYM,   /* struct uaddr, shown as object`name, */
	FIELD_UMOD,   /* as object, */
	FIELD_UADDR,  /* or as object`name+0x1 */
	/* a kernel stack that was read elsewhere: a dstr slot, a frame on each line */
	FIELD_FRAMES,
	FIELD_UFRAMES, /* a process's */
	FIELD_KIND_MAX,
};

struct field {
	enum field_kind kind;
	uint32_t off; /* from the start of the record or key */
	uint32_t size;
	const char *label; /* a name of what it shows, an identifier; NULL: it has none */
	bool fixed;        /* it is the same each time: a constant */
	/* a string of blanks or an arrow, as in str_is_layout(): shown in text only */
	bool layout;
	bool address; /* FIELD_UINT: shown as 0x... */
	bool own;     /* a string that is always one of the program's literals */
};

/* --------------------------------------------------------------------- types */

/*
 * A type, for print(): no more than it takes to show a value.  What a pointer points to is not
 * followed, so there are no cycles.
 */
enum shape_kind {
	SHAPE_INT,
	SHAPE_CHAR,
	SHAPE_FLOAT,
	SHAPE_ENUM, /* n tags */
	SHAPE_POINTER,
	SHAPE_STRING,
	SHAPE_ARRAY,  /* n times `of` */
	SHAPE_STRUCT, /* or union: n members */
};

struct shape {
	enum shape_kind kind;
	const char *name; /* "struct s", "char [8]" */
	uint32_t size;
	uint32_t n;
	bool function; /* SHAPE_POINTER: to a function */
	bool sgn;      /* SHAPE_INT: signed */
	const struct shape *of;
	const struct shape_member *member;
	const struct shape_tag *tag;
};

struct shape_member {
	const char *name; /* NULL: anonymous */
	const struct shape *shape;
	uint32_t bitoff; /* from the start of what it is in */
	uint32_t bits;   /* of a bit-field; 0: it is none */
};

struct shape_tag {
	const char *name;
	int64_t value;
};

/* -------------------------------------------------- probes, clauses, actions */

struct probe_info {
	uint32_t id; /* as -l shows it */
	const char *prov, *mod, *func, *name;
};

enum action_kind {
	ACT_DEFAULT,     /* empty body: only the probe line */
	ACT_TRACE,       /* field[0] */
	ACT_STACK,       /* field[0] */
	ACT_TRACEMEM,    /* field[0]: bytes; field[1], if nfield is 2: how many of them to show */
	ACT_PRINT,       /* field[0], of type shape */
	ACT_PRINTF,      /* fmt, fields */
	ACT_PRINTA,      /* fmt (NULL: default rows), aggs */
	ACT_CLEAR,       /* agg[0] */
	ACT_TRUNC,       /* agg[0]; field[0] = how many, if nfield */
	ACT_NORMALIZE,   /* agg[0], field[0] */
	ACT_DENORMALIZE, /* agg[0] */
	ACT_EXIT,        /* field[0] = status */
	/* str, str2 (NULL: none); or, if nfield, field[0], field[1] (if nfield is 2) */
	ACT_SETOPT,
	ACT_PCAP,    /* field[0]: struct packet_slot and bytes; then the enum packet_note */
	ACT_CAPTURE, /* the same, for the file of -x capture */
	ACT_SAMPLE,  /* for forms and views that show aggregations over time */
	ACT_SYSTEM,  /* fmt, fields */
	ACT_FREOPEN, /* fmt (NULL: back to what it was), fields */
	ACT_FTRUNCATE,
	ACT_SPECULATE, /* the record is the speculation's: struct spec_id */

	/* Done in the kernel: the consumer sees nothing of them but what they send. */
	ACT_COMMIT,
	ACT_DISCARD,
};

struct action_info {
	enum action_kind kind;
	/* the byte of the record that is 0 if the action was not reached; 0: it always is */
	uint32_t when;
	const struct format *fmt;
	struct field *field;
	uint32_t nfield;
	uint32_t *agg; /* indices into program.agg */
	uint32_t nagg;
	const char *str, *str2;
	const struct shape *shape;
};

struct clause_info {
	uint32_t probe;    /* index into program.probe */
	uint32_t rec_size; /* 0: this clause makes no records */
	uint32_t spec;     /* offset of struct spec_id in the record; 0: it has none */
	struct action_info *act;
	uint32_t nact;
	uint32_t time; /* offset of its walltimestamp, 8 bytes; 0: it has none */
};

/* ------------------------------------------------------------ aggregations */

/*
 * A part of a key that a brief one has: there at @at.  Between these it has stacks' further
 * addresses, all of them 0 if the first is.
 */
struct key_piece {
	uint32_t off, size, at;
};

/*
 * Where an aggregation's values are.
 *
 * Keyed: map `map`, one value per CPU.  The key starts with a u32 generation,
 * read by the program from the globals: the consumer adds 1 to it to clear or
 * truncate, so that updates that race with it land in the next snapshot.  Aggregations
 * that share maps have no generation in common: see lanes, a power of two.
 * Keys that have stacks are long, and most stacks are not: a key all of whose stacks
 * are short is kept in a map of its own, without what is 0 behind them (struct key_piece).
 * Un-keyed: at `off` in the MAP_PERCPU value, no generation (values are summed
 * minus what was cleared; min and max carry the generation in the value).
 * What a value's words are: agg/value.h, agg/hist.h.
 */
struct agg_info {
	uint32_t index;   /* in program.agg */
	const char *name; /* without the '@'; "_" for @ alone */
	struct agg_kind kind;
	int64_t normal;    /* of files that are merged: what normalize() set; else 0 */
	struct field *key; /* off counts from the start of the map key */
	uint32_t nkey;
	uint32_t key_size; /* of the map key, generation included */
	bool sparse;       /* its map is */
	int32_t map;       /* index into program.map; -1: un-keyed */
	uint32_t table;    /* if its map is a MAP_TABLE: number of that, from 0 */
	int32_t overflow;  /* map for the keys that the first has no room for; 0: none */
	/* map for the keys whose stacks are short, which has none other; 0: none */
	int32_t short_map;
	struct key_piece *piece; /* of which a key there is made, in order */
	uint32_t npiece, short_size;
	/* its generations are lane, lane + lanes, lane + 2 * lanes ...; 0: all are */
	uint32_t lane, lanes;
	uint32_t off;
};

/* What a look-up of a kernel symbol by name comes to. */
enum symbol_found { SYMBOL_FOUND, SYMBOL_NO_NAME, SYMBOL_NO_MODULE };

/* ----------------------------------------------------------------- program */

/* Bytes of the MAP_GLOBAL value that are not 0 when the program starts. */
struct init {
	uint32_t off, size;
	const void *data;
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
	struct probe_info *probe;
	uint32_t nprobe;
	struct clause_info *clause;
	uint32_t nclause;
	struct agg_info *agg;
	uint32_t nagg;
	const char **str;
	uint32_t nstr;
	/* in the MAP_GLOBAL value: struct late_arg of what comes later; 0: none */
	uint32_t late_args;
	bool destructive; /* it changes more than its own output: not without leave */
	bool names;       /* strings of it may be DSTR_NAMED */
	/* units may fire while the kernel changes a map for us: see struct globals */
	bool checks_map_writer;
	const char *impossible; /* what it wants and cannot have; NULL: nothing */
	uint32_t strsize;       /* a string's text is cut to one byte less.  0: it is not */
};

#endif
