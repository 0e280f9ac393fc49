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

#include "agg/agg.h"
#include "ir/format.h"

/* Records, keys and strings in binary form are read with the layout in which they were written. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "dtrace needs a 64-bit little-endian machine, see docs/limits.md"
#endif

/* ------------------------------------------------------------ instructions */

/*
 * One eBPF instruction, in the layout of the kernel's struct bpf_insn. Until an engine resolves
 * them, these instructions contain references:
 *   LD_IMM64, src INSN_MAP:        imm = index into program.map
 *   LD_IMM64, src INSN_MAP_VALUE:  imm = index into program.map, next insn's
 *                                  imm = offset in the value of key 0
 *   CALL, src 0:                   imm = number of a kernel helper
 *   CALL, src INSN_LOCAL:          imm = relative: function of this unit
 *   CALL, src INSN_KFUNC:          imm = index into program.kfunc
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
	uint32_t btf_id; /* in vmlinux BTF; 0 in replay */
};

/* ------------------------------------------------------------------- units */

enum hook_kind {
	HOOK_RUN,         /* run by dtrace itself: BEGIN, END, ERROR, tick-N, iter:::bpf_prog */
	HOOK_PROFILE,     /* perf cpu-clock on every CPU */
	HOOK_RAWTP,       /* raw tracepoint with BTF types (tp_btf) */
	HOOK_CGROUP_SKB,  /* root cgroup; target "ingress" or "egress" */
	HOOK_SOCKOPS,     /* sock_ops, root cgroup */
	HOOK_FENTRY,      /* entry of a kernel function */
	HOOK_FEXIT,       /* return of a kernel function */
	HOOK_REPLAY,      /* an event that only replay has */
	HOOK_CGROUP_SOCK, /* root cgroup; target "create" */
	HOOK_ITER,        /* BPF iterator; runs once, after everything else is attached */
	HOOK_KPROBE,      /* entries of many kernel functions: struct unit.point */
	HOOK_KRETPROBE,   /* returns of many kernel functions */
	HOOK_UPROBE,      /* many instructions of processes */
	HOOK_URETPROBE,   /* returns of many functions of processes */
	HOOK_KINST,       /* instructions of the kernel, with a perf event for each */
};

/*
 * One of the points that a program is attached to. The kernel identifies the point that fired by a
 * cookie: the index in unit.point.
 */
struct attach_point {
	uint64_t addr; /* address in the kernel, or offset in the file of a process */

	/* Points in processes only: */
	const char *file;
	int32_t pid;        /* 0: all processes */
	uint64_t cookie;    /* value that the program gets */
	uint64_t semaphore; /* offset in the file of the counter of tracers; 0: none */
	/* HOOK_KINST: descriptor of the perf event at the point, open while dtrace runs */
	int event;

	/*
	 * Not 0: the point does not exist yet. A point that appears later is attached with this
	 * number: see kernel_enable(). A module may have several functions with one number; @slot
	 * numbers them from 0.
	 */
	uint32_t awaited, slot;
};

/* RUN_BPF_PROG: once for each BPF program of the machine; args[0]: its struct bpf_prog_info */
enum run_kind { RUN_BEGIN, RUN_END, RUN_ERROR, RUN_TICK, RUN_BPF_PROG };

#define FUNC_PARAMS 5 /* limited by the number of registers for parameters */

/*
 * The parameters of a function. The kernel verifies a global function once, by itself, and trusts
 * only that a parameter is NULL or points to @size bytes. It verifies other functions again at each
 * call.
 */
struct func_params {
	bool global;
	uint32_t n;                 /* number of parameters of a global function */
	uint32_t size[FUNC_PARAMS]; /* 0: the parameter is a number */
};

/* A function of a unit. */
struct unit_func {
	const char *name;
	uint32_t insn; /* index of its first instruction */
	struct func_params params;
};

/* A unit: one eBPF program with its functions. */
struct unit {
	enum hook_kind hook;
	/*
	 * HOOK_RAWTP: tracepoint; HOOK_CGROUP_SKB: direction; HOOK_ITER: kind of object; else the
	 * probe's name
	 */
	const char *target;
	enum run_kind run;  /* HOOK_RUN */
	uint64_t period_ns; /* RUN_TICK, HOOK_PROFILE */
	/*
	 * BTF id. HOOK_RAWTP: of the typedef btf_trace_<target>; HOOK_ITER: of the function
	 * bpf_iter_<target>; HOOK_FENTRY, HOOK_FEXIT: of the function; 0 in replay
	 */
	uint32_t attach_btf_id;
	bool has_hidden, has_probes; /* it contains hidden clauses; clauses of probes */
	bool socket;                 /* HOOK_REPLAY: it may read the socket, the second argument */
	/* it only asks the consumer for a sample of the aggregations */
	bool samples;
	/* it may depend on state left by earlier firings: see ir_is_stateful() */
	bool stateful;
	struct attach_point *point; /* points to attach it to, for hooks of many points */
	uint32_t npoint;
	/* indexes in program.probe: the probes of its clauses; may contain duplicates */
	uint32_t *probe;
	uint32_t nprobe;
	/*
	 * the number of this part, if the clauses of the hook are split into several units; they
	 * run in this order
	 */
	uint32_t part;
	/*
	 * runs in place of the previous unit of the same hook, if that unit is interrupted: see
	 * compiler/code/units/nesting.c
	 */
	bool is_backup;
	struct insn *insn;
	uint32_t ninsn;
	/* its functions, in the order of their code; the first is the entry */
	struct unit_func *func;
	uint32_t nfunc;
	/* the longest clause of the user, for messages: "udp:::send, line 3 of x.d"; NULL: none */
	const char *longest;
};

/* -------------------------------------------------------------------- maps */

enum map_kind {
	/* one value, mapped into our memory: struct globals, then D's global variables */
	MAP_GLOBAL,
	MAP_PERCPU,      /* one value per CPU: struct percpu, aggregations without keys, scratch */
	MAP_RING,        /* the records */
	MAP_PERCPU_HASH, /* an aggregation with keys */
	MAP_TABLE,       /* aggregation in the run's arena (ir/table.h): Linux 6.10 and later */
	MAP_WAKE,        /* ring buffer; a write wakes the engine's thread that enlarges tables */
	MAP_HASH,        /* associative array, thread-local variables */
	/* array of the library; when it is full, the entry used least recently is dropped */
	MAP_LRU_HASH,
	/* thread-local numbers: one value that the kernel keeps for each thread */
	MAP_TASK,
};

/*
 * Replay guarantees that this many bytes are readable at the start of every object that a hook
 * passes, or that can be reached from one.
 */
#define REPLAY_READABLE 4096

enum { MAP_ID_GLOBAL, MAP_ID_PERCPU, MAP_ID_RING, MAP_ID_FIRST_OTHER };

struct map_def {
	enum map_kind kind;
	const char *name;    /* at most 15 characters */
	uint32_t key_size;   /* hashes */
	uint32_t value_size; /* MAP_RING: unused */
	/* hashes; MAP_RING: size in bytes, a power of two; 0: 1 GiB (replay) */
	uint32_t max_entries;
	/* hashes: memory for all keys is allocated at the start, which makes lookups faster */
	bool prealloc;
	bool sparse; /* hashes in replay: see SPARSE_WORDS */
};

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
 * Controls which clauses run. GATE_PREPARE: only hidden clauses, to record existing objects before
 * the first probe fires.
 */
enum gate { GATE_CLOSED, GATE_OPEN, GATE_PREPARE };

/* The start of the MAP_GLOBAL value. */
struct globals {
	uint32_t gate;         /* enum gate; units of HOOK_RUN ignore it */
	uint32_t iterating;    /* 1: iterators are still reporting existing objects */
	int64_t tai_offset;    /* CLOCK_REALTIME - CLOCK_TAI in ns; walltimestamp = tai + this */
	uint64_t spec_unavail; /* calls of speculation() that found all in use */
	uint64_t spec_busy;    /* calls that found a speculation being committed or discarded */
	/* the thread of dtrace that is changing maps, by its kernel thread id; 0: none */
	uint32_t map_writer;
	uint32_t pad1;
	int64_t real_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC in ns */
	/* CLOCK_MONOTONIC in ns when CLOCK_REALTIME was set last; 0: not since tracing started */
	uint64_t clock_set;
	uint64_t pad2;
	/*
	 * from GLOBAL_GEN_OFF on: uint32_t generation of each aggregation, in the order of
	 * program.agg
	 */
};
#define GLOBAL_GEN_OFF 64
#define AGG_GEN_SIZE 4 /* bytes of the generation, at the start of a key */

/* The start of the MAP_PERCPU value: counters of this CPU. */
struct percpu {
	uint64_t events;    /* firings of live probes */
	uint64_t drops;     /* records lost because the ring was full */
	uint64_t agg_drops; /* updates of aggregations lost because a new key had no room */
	/*
	 * stores to associative arrays and thread-local variables lost because a new key had no
	 * room
	 */
	uint64_t dyn_drops;
	uint64_t err_drops;  /* faults whose record was lost */
	uint64_t unreadable; /* packets skipped because their header could not be read */
	uint64_t nested;     /* firings lost because the program was already running */
	/* firings run by a backup unit, although the kernel counts them as missed */
	uint64_t backup_runs;
};

/*
 * The location of an argument of a static probe that is attached while the program runs. The
 * MAP_GLOBAL value has rows of LATE_ARGS such structs, from program.late_args on. Each point of
 * such a probe has a row; its number is the upper half of the point's cookie.
 */
struct late_arg {
	int64_t value;       /* the constant, or the displacement in reg + index * scale + value */
	int32_t scale;       /* factor of register @index */
	uint16_t reg, index; /* offsets of the registers in the context */
	uint8_t has;         /* flags: which registers are used */
	/* 1, 2, 4 or 8: size of the argument in memory; 0: the sum itself is the argument */
	uint8_t size;
	uint8_t shift; /* number of upper bits to ignore */
	uint8_t sgn;
	uint32_t pad;
};

enum { LATE_ARG_REG = 1, LATE_ARG_INDEX = 2 };

#define LATE_ARGS 10 /* arg0 to arg9 */

/* ----------------------------------------------------------------- records */

/*
 * A record, as a clause writes it and the consumer reads it; host byte order:
 *
 *   0        4        8
 *   +--------+--------+------------------------------+
 *   |  epid  |  cpu   | fields, at field.off ...     |   clause_info.rec_size bytes
 *   +--------+--------+------------------------------+
 *
 * epid is 1 + the index into program.clause; 0 marks a fault. A clause with actions in the branches
 * of an if has a byte for each branch: it is 0 if the branch was not taken, and the fields of that
 * branch are undefined then.
 */
struct record {
	uint32_t epid;
	uint32_t cpu;
};

/*
 * The record of a clause with speculate() has a struct spec_id at clause_info.spec; id 0 means that
 * speculate() was not reached. The consumer keeps the record until a spec_record with the same id
 * commits or discards it. The spec_record always comes last. @turn counts the uses of an id, so
 * that a lost spec_record does not mix two uses.
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

enum fault_code { /* DTRACEFLT_* of DTrace: arg4 of ERROR */
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
	int32_t action;  /* number of the action, from 1; 0: the predicate */
	int32_t offset;  /* offset in the unit's code in bytes; -1: unknown */
	uint32_t code;   /* enum fault_code */
	uint64_t value;  /* the address, for faults that have one */
};

/*
 * A string in a record, key or variable: a u32 tag, then the payload. Addresses stay binary until
 * they are printed. In keys, unused payload bytes are zero.
 */
enum dstr_tag {
	DSTR_TEXT,   /* characters up to a NUL or the end of the slot; all zero: "" */
	DSTR_INTERN, /* u32 index into program.str */
	DSTR_IP4,    /* 4 bytes, network order: prints as inet_ntoa() */
	DSTR_IP6,    /* 16 bytes, network order: prints as inet_ntoa6() */
	DSTR_NULL,   /* no string (NULL) */
	DSTR_INT,    /* u32 low and u32 high half of a number, u32 base: prints as lltostr() */
	/*
	 * u32 size of the first slot, the first slot, the second slot (to the end): prints as
	 * strjoin()
	 */
	DSTR_JOIN,
	/*
	 * u32 enum named_kind, u32 low and u32 high half of a number: prints the name of that
	 * number
	 */
	DSTR_NAMED,
	/*
	 * 16 bytes, network order: prints as inet_ntop(AF_INET6). In keys, only for addresses that
	 * inet_ntoa6() would print differently (IPv4 mapped and compatible addresses)
	 */
	DSTR_NTOP6,
};

#define NAMED_UNKNOWN "unknown"

/* The kinds of numbers whose names the consumer knows. */
enum named_kind { NAMED_USER, NAMED_CGROUP, NAMED_CONTAINER, NAMED_NETNS, NAMED_MAX };

/*
 * A kernel stack in a record or key: this header, then addresses of 8 bytes, innermost first, up to
 * a 0 or the end. A stack taken in a hook may begin with frames of tracing itself; the consumer
 * removes them by their names.
 */
struct stack_slot {
	uint32_t limit;  /* frames to show */
	uint32_t within; /* 1: taken in a hook; 0: the stack that a sample interrupted */
};

/* The header of a stack of a process, which has no frames of tracing. */
struct ustack_slot {
	uint32_t limit; /* 0: no stack (replay) */
	uint32_t unused;
	/*
	 * number of the process in the initial pid namespace; the addresses of FIELD_USTACK begin
	 * with it
	 */
	uint64_t pid;
};

/* An address in a process. */
struct uaddr {
	uint64_t pid, addr;
};

#define STACK_TRACER_FRAMES 8 /* extra frames for those of tracing itself */
#define STACK_SHORT 8         /* frames of a short stack, including those of tracing */
#define STACK_FRAMES 20       /* -x stackframes */
#define JSTACK_FRAMES 50      /* -x jstackframes */
#define STACK_FRAMES_MAX 127  /* the kernel's limit (kernel.perf_event_max_stack) */

/* The header of a packet that pcap() recorded; @len bytes of the packet follow. */
struct packet_slot {
	uint64_t time; /* walltimestamp */
	uint32_t wire; /* original length of the packet in bytes */
	uint32_t len;  /* recorded bytes */
	uint32_t link; /* DLT_ of libpcap */
	uint32_t pad;
};

/*
 * Values recorded after the packet, in this order. A value is -1 if the probe's arguments do not
 * have it.
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
 * The writer in the section header of our captures. In such a file, the flags of packets give their
 * direction.
 */
#define CAPTURE_WRITER "dtrace"

/*
 * The state of chill() for a CPU, in a map of its own. After the states of all CPUs follows memory
 * to spend time in.
 */
struct chill_account {
	uint64_t since; /* start of the accounting period in ns */
	uint64_t ns;    /* time spent waiting since then, in ns */
};

#define CHILL_CPUS 4096
#define CHILL_ACCOUNTS (CHILL_CPUS * 16)
#define CHILL_MEMORY (1 << 22)

#define PCAPSIZE 9216 /* -x pcapsize */

enum field_kind {
	FIELD_INT,    /* signed, size 1 2 4 8 */
	FIELD_UINT,   /* unsigned */
	FIELD_STRING, /* a string (enum dstr_tag), tag included */
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
	uint32_t off; /* in bytes, from the start of the record or key */
	uint32_t size;
	const char *label; /* name of the value, an identifier; NULL: none */
	bool fixed;        /* a constant */
	/* a string of blanks or arrows, as in str_is_layout(): printed in text only */
	bool layout;
	bool address; /* FIELD_UINT: printed as 0x... */
	bool own;     /* the string is always a literal of the program */
};

/* --------------------------------------------------------------------- types */

/* A type, as far as print() needs it. Pointers are not followed, so there are no cycles. */
enum shape_kind {
	SHAPE_INT,
	SHAPE_CHAR,
	SHAPE_FLOAT,
	SHAPE_ENUM, /* n tags */
	SHAPE_POINTER,
	SHAPE_STRING,
	SHAPE_ARRAY,  /* n elements of type `of` */
	SHAPE_STRUCT, /* struct or union with n members */
};

struct shape {
	enum shape_kind kind;
	const char *name; /* "struct s", "char [8]" */
	uint32_t size;
	uint32_t n;
	bool function; /* SHAPE_POINTER: points to a function */
	bool sgn;      /* SHAPE_INT: signed */
	const struct shape *of;
	const struct shape_member *member;
	const struct shape_tag *tag;
};

struct shape_member {
	const char *name; /* NULL: anonymous */
	const struct shape *shape;
	uint32_t bitoff; /* offset in bits from the start of the enclosing type */
	uint32_t bits;   /* width of a bit-field; 0: not a bit-field */
};

struct shape_tag {
	const char *name;
	int64_t value;
};

/* -------------------------------------------------- probes, clauses, actions */

struct probe_info {
	uint32_t id; /* as -l prints it */
	const char *prov, *mod, *func, *name;
};

enum action_kind {
	ACT_DEFAULT,     /* empty body: prints the probe only */
	ACT_TRACE,       /* field[0] */
	ACT_STACK,       /* field[0] */
	ACT_TRACEMEM,    /* field[0]: bytes; field[1], if nfield is 2: how many to print */
	ACT_PRINT,       /* field[0], of type shape */
	ACT_PRINTF,      /* fmt, fields */
	ACT_PRINTA,      /* fmt (NULL: default format), aggregations */
	ACT_CLEAR,       /* agg[0] */
	ACT_TRUNC,       /* agg[0]; field[0]: number of keys, if nfield */
	ACT_NORMALIZE,   /* agg[0], field[0] */
	ACT_DENORMALIZE, /* agg[0] */
	ACT_EXIT,        /* field[0]: status */
	/* str, str2 (NULL: none); or, if nfield, field[0] and field[1] (if nfield is 2) */
	ACT_SETOPT,
	ACT_PCAP, /* field[0]: struct packet_slot and bytes; then the values of enum packet_note */
	ACT_CAPTURE, /* like ACT_PCAP, for the file of -x capture */
	ACT_SAMPLE,  /* a sample for output that shows aggregations over time */
	ACT_SYSTEM,  /* fmt, fields */
	ACT_FREOPEN, /* fmt (NULL: the original file), fields */
	ACT_FTRUNCATE,
	ACT_SPECULATE, /* field[0]: struct spec_id; the record belongs to the speculation */

	/* Executed in the kernel: the consumer sees only the records they send. */
	ACT_COMMIT,
	ACT_DISCARD,
};

struct action_info {
	enum action_kind kind;
	/* offset of the byte that is 0 if the action was not reached; 0: always reached */
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
	uint32_t rec_size; /* size of a record in bytes; 0: the clause makes no records */
	uint32_t spec;     /* offset of struct spec_id in the record; 0: none */
	struct action_info *act;
	uint32_t nact;
	uint32_t time; /* offset of walltimestamp (8 bytes) in the record; 0: none */
};

/* ------------------------------------------------------------ aggregations */

/*
 * A part of a short key: @size bytes at @off in the full key are at @at in the short key. Between
 * its parts, the full key has the remaining frames of a stack. If the first of these frames is 0,
 * all of them are.
 */
struct key_piece {
	uint32_t off, size, at;
};

/*
 * Describes an aggregation and where its values are. agg/value.h and agg/hist.h describe the words
 * of a value.
 *
 * With keys: map `map`, one value per CPU. A key begins with a u32 generation, which the program
 * reads from the globals. To clear or truncate, the consumer increments the generation, so that
 * concurrent updates belong to the next snapshot. Aggregations that share a map use different
 * generations: @lane, @lane + @lanes, @lane + 2 * @lanes ...; @lanes is a power of two.
 *
 * Keys with stacks are long, but most stacks are short. If all stacks of a key are short, the key
 * is kept in a separate map (@short_map) without the unused frames (struct key_piece).
 *
 * Without keys: at @off in the MAP_PERCPU value, without a generation. The consumer subtracts the
 * value at the last clear; for min and max, the value itself has a generation.
 */
struct agg_info {
	uint32_t index;   /* index in program.agg */
	const char *name; /* without the '@'; "_" for a plain @ */
	struct agg_kind kind;
	int64_t normal;    /* for merged files: the divisor of normalize(); else 0 */
	struct field *key; /* field.off counts from the start of the map key */
	uint32_t nkey;
	uint32_t key_size; /* size of the map key in bytes, with the generation */
	int32_t map;       /* index into program.map; -1: no keys */
	uint32_t table;    /* MAP_TABLE only: the table's number in the arena, from 0 */
	int32_t overflow;  /* map for keys that the first map has no room for; 0: none */
	/* map for keys whose stacks are all short; 0: none */
	int32_t short_map;
	struct key_piece *piece; /* the parts of a key in short_map, in order */
	uint32_t npiece, short_size;
	/* which generations it uses (see above); lanes 0: all */
	uint32_t lane, lanes;
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

struct program {
	struct init *init;
	uint32_t ninit;
	struct unit *unit;
	uint32_t nunit;
	struct map_def *map;
	uint32_t nmap;
	struct kfunc *kfunc;
	uint32_t nkfunc;
	/* if there are tables: number of the MAP_WAKE, and the BTF id of bpf_arena_alloc_pages() */
	uint32_t wake, arena_alloc;
	struct probe_info *probe;
	uint32_t nprobe;
	struct clause_info *clause;
	uint32_t nclause;
	struct agg_info *agg;
	uint32_t nagg;
	const char **str;
	uint32_t nstr;
	/* offset of the struct late_arg in the MAP_GLOBAL value; 0: none */
	uint32_t late_args;
	bool destructive; /* it changes more than its own output, so it needs -w */
	bool names;       /* it may produce strings of kind DSTR_NAMED */
	bool stamps;      /* it reads the time at which the kernel says that packets arrived */
	/* units may fire while the kernel changes a map for us: see globals.map_writer */
	bool checks_map_writer;
	const char *impossible; /* why the program cannot run here, for a message; NULL: it can */
	uint32_t strsize;       /* maximum size of a string with its NUL; 0: unlimited */
};

#endif
