/*
 * path.c - computes the paths of files.
 *
 * The kernel's own function, bpf_d_path(), can be called at few hooks only. So this code walks up
 * to the root directory: from each name to its parent, and from the root of a file system to its
 * mount point. It takes no lock. If a file is renamed meanwhile, its path may have parts of both
 * names.
 */
#include "compiler/builtins/path.h"

#include "base/diag.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/strclass.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/kernel.h"

/* Maximum size of a path in bytes, NUL included. A longer path loses its beginning. */
#define PATH_ROOM 4096
#define NAME_ROOM 256  /* maximum size of one name in bytes */
#define NAMES_MAX 1024 /* maximum number of names in a path */

/*
 * Indexes of the 8-byte words of a walk's state: the current place (W_DENTRY, W_MOUNT), the place
 * where the walk ends (W_ROOT, W_ROOT_MOUNT), the offset of the first character of the path so far
 * (W_AT), and whether the walk failed (W_LOST).
 */
enum { W_DENTRY, W_MOUNT, W_ROOT, W_ROOT_MOUNT, W_AT, W_LOST };

#define DELETED " (deleted)"

/* Returns a register with member @m of the struct at @p, or with 0 if the member cannot be read. */
static int member(struct irb *b, struct compiler *c, int p, enum kernel_member m, unsigned size)
{
	return irb_read(b, p, (int32_t)kernel_offset(&c->names->kernel, m), size, false, NOBLOCK);
}

/* As member(), for a pointer in the struct mount that contains vfsmount @p. */
static int mount_member(struct irb *b, struct compiler *c, int p, enum kernel_member m)
{
	int32_t part = (int32_t)kernel_offset(&c->names->kernel, KM_MOUNT_MNT);

	return irb_read(b, p, (int32_t)kernel_offset(&c->names->kernel, m) - part, 8, false,
			NOBLOCK);
}

static int place_in(struct irb *b, int text, int at)
{
	return irb_bin(b, IR_ADD, text, irb_bini(b, IR_AND, at, PATH_ROOM - 1));
}

/*
 * Called when the walk is at the root of @mount. Continues the walk at the directory on which
 * @mount is mounted, or jumps to @end if there is none.
 */
static void leave_mount(struct irb *b, struct compiler *c, int words, int mount, int end)
{
	int up = irb_bini(b, IR_ADD, mount_member(b, c, mount, KM_MOUNT_PARENT),
			  kernel_offset(&c->names->kernel, KM_MOUNT_MNT));
	int higher = irb_block(b, "mounted");

	irb_br(b, CC_EQ, up, mount, end, higher);
	irb_place(b, higher);
	tx_set_word(b, words, W_DENTRY, mount_member(b, c, mount, KM_MOUNT_POINT));
	tx_set_word(b, words, W_MOUNT, up);
	irb_ret(b);
}

/* Writes the name of @dentry before the path so far. Jumps to @end if there is no room. */
static void add_name(struct irb *b, struct compiler *c, int words, int text, int dentry, int end)
{
	int room = irb_block(b, "room"),
	    name = irb_bini(b, IR_ADD, dentry, kernel_offset(&c->names->kernel, KM_DENTRY_NAME));
	int len = irb_bini(b, IR_AND, member(b, c, name, KM_QSTR_LEN, 4), NAME_ROOM - 1), from, to;
	int at = irb_bini(b, IR_SUB, irb_bin(b, IR_SUB, tx_get_word(b, words, W_AT), len), 1);

	irb_bri(b, CC_SLT, at, 0, end, room);
	irb_place(b, room);
	tx_set_word(b, words, W_AT, at);
	to = place_in(b, text, at);
	irb_storei(b, to, 0, 1, '/');
	from = member(b, c, name, KM_QSTR_NAME, 8);
	irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		 (struct ir_arg[]){{ARG_REG, irb_addr(b, to, 1), 0},
				   {ARG_REG, len, 0},
				   {ARG_REG, from, 0}});
}

/*
 * Generates a function with the parameters (words, text), which makes one step of the walk. The
 * function returns 1 after the last step.
 */
static void make_step(struct irb *b, struct routines *all, uint32_t with)
{
	struct compiler *c = all->c;
	int words = irb_param(b, 0), text = irb_param(b, 1);
	int dentry = tx_get_word(b, words, W_DENTRY), mount = tx_get_word(b, words, W_MOUNT);
	int end = irb_block(b, "end"), lost = irb_block(b, "no parent"),
	    on = irb_block(b, "not the root");
	int top = irb_block(b, "root of a mount"), within = irb_block(b, "within"),
	    name = irb_block(b, "name"), parent;
	int same = irb_bin(b, IR_XOR, dentry, tx_get_word(b, words, W_ROOT)), mounts;

	(void)with;
	mounts = irb_bin(b, IR_XOR, mount, tx_get_word(b, words, W_ROOT_MOUNT));
	irb_bri(b, CC_EQ, irb_bin(b, IR_OR, same, mounts), 0, end, on);
	irb_place(b, on);
	irb_br(b, CC_EQ, dentry, member(b, c, mount, KM_VFSMOUNT_ROOT, 8), top, within);
	irb_place(b, top);
	leave_mount(b, c, words, mount, end);
	irb_place(b, within);
	parent = member(b, c, dentry, KM_DENTRY_PARENT, 8);
	irb_br(b, CC_EQ, parent, dentry, lost, name);
	irb_place(b, name);
	add_name(b, c, words, text, dentry, end);
	tx_set_word(b, words, W_DENTRY, parent);
	irb_ret(b);
	irb_place(b, lost);
	irb_storei(b, words, 8 * W_LOST, 8, 1);
	irb_jmp(b, end);
	irb_place(b, end);
	irb_ret_reg(b, irb_const(b, 1));
}

static uint32_t step_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	(void)with;
	size[0] = TEXT_WORDS;
	size[1] = PATH_ROOM + NAME_ROOM;
	return 2;
}

static const struct routine step = {"path step", make_step, step_params};

/*
 * Starts the text, which grows from its end to its beginning. It ends with DELETED if the file is
 * deleted.
 */
static void begin_text(struct fire *g, int words, int text, int dentry)
{
	struct irb *b = g->b;
	int32_t hash = (int32_t)kernel_offset(&g->c->names->kernel, KM_DENTRY_HASH);
	int gone = irb_block(b, "deleted?"), deleted = irb_block(b, "deleted"),
	    there = irb_block(b, "there");
	int len = sizeof(DELETED) - 1, from = PATH_ROOM - 1 - len;

	irb_storei(b, text, PATH_ROOM - 1, 1, 0);
	irb_storei(b, words, 8 * W_AT, 8, PATH_ROOM - 1);
	irb_storei(b, words, 8 * W_LOST, 8, 0);
	irb_bri(b, CC_EQ, irb_read(b, dentry, hash + 8, 8, false, NOBLOCK), 0, gone, there);
	irb_place(b, gone);
	irb_br(b, CC_EQ, dentry, member(b, g->c, dentry, KM_DENTRY_PARENT, 8), there, deleted);
	irb_place(b, deleted);
	for (int i = 0; i < len; i++)
		irb_storei(b, text, from + i, 1, DELETED[i]);
	irb_storei(b, words, 8 * W_AT, 8, from);
	irb_jmp(b, there);
	irb_place(b, there);
}

/*
 * Completes the text. If the walk found no name, the text becomes "/", or "<unknown>" if the walk
 * failed.
 */
static void end_text(struct fire *g, int words, int text)
{
	struct irb *b = g->b;
	int empty = irb_block(b, "no name"), lost = irb_block(b, "lost"),
	    root = irb_block(b, "root");
	int done = irb_block(b, "path"), at = tx_get_word(b, words, W_AT);
	static const char none[] = "<unknown>";

	irb_bri(b, CC_EQ, at, PATH_ROOM - 1, empty, done);
	irb_place(b, empty);
	irb_bri(b, CC_EQ, tx_get_word(b, words, W_LOST), 0, root, lost);
	irb_place(b, root);
	irb_storei(b, text, PATH_ROOM - 2, 1, '/');
	irb_storei(b, words, 8 * W_AT, 8, PATH_ROOM - 2);
	irb_jmp(b, done);
	irb_place(b, lost);
	for (int i = 0; i < (int)sizeof(none); i++)
		irb_storei(b, text, i, 1, none[i]);
	irb_storei(b, words, 8 * W_AT, 8, 0);
	irb_jmp(b, done);
	irb_place(b, done);
}

static void walk(struct fire *g, int words, int text)
{
	struct irb *b = g->b;
	struct irb_loop l;
	int more = irb_block(b, "more"), last;

	irb_loop(b, &l, NAMES_MAX, 1);
	last = gen_routine(g, &step, 0, 2,
			   (struct ir_arg[]){{ARG_REG, words, 0}, {ARG_REG, text, 0}});
	irb_bri(b, CC_NE, last, 0, l.done, more);
	irb_place(b, more);
	irb_loop_end(b, &l);
}

/*
 * Writes the path of @dentry on @mount to @d. The path begins at directory @root on @root_mount. If
 * both are 0, it begins at the last root that the walk reaches: the root of the mount namespace.
 */
static void put_path(struct fire *g, int dentry, int mount, int root, int root_mount, struct dest d)
{
	struct irb *b = g->b;
	struct dest tmp = scratch_slot(g, PATH_ROOM + NAME_ROOM);
	int words = gen_words(g), text = irb_addr(b, tmp.base, tmp.off), to;
	uint32_t room = d.size - PAYLOAD < g->c->opt->strsize ? d.size - PAYLOAD
							      : g->c->opt->strsize;

	tx_set_word(b, words, W_DENTRY, dentry);
	tx_set_word(b, words, W_MOUNT, mount);
	tx_set_word(b, words, W_ROOT, root);
	tx_set_word(b, words, W_ROOT_MOUNT, root_mount);
	begin_text(g, words, text, dentry);
	walk(g, words, text);
	end_text(g, words, text);
	to = gen_chars_into(g, d);
	text = place_in(b, text, tx_get_word(b, words, W_AT));
	irb_call(b, IR_CALL, HELPER_probe_read_kernel_str, 3,
		 (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_IMM, 0, room}, {ARG_REG, text, 0}});
}

/* Writes the path of @dentry on @mount, from the root directory of the current process. */
static void put_seen(struct fire *g, int dentry, int mount, struct dest d)
{
	struct irb *b = g->b;
	int fs = member(b, g->c, irb_scalar(b, gen_thread(g)), KM_TASK_FS, 8);
	int root = irb_bini(b, IR_ADD, fs, kernel_offset(&g->c->names->kernel, KM_FS_ROOT));
	int root_mount = member(b, g->c, root, KM_PATH_MNT, 8);

	put_path(g, dentry, mount, member(b, g->c, root, KM_PATH_DENTRY, 8), root_mount, d);
}

void chars_d_path(struct fire *g, const struct expr *call, struct dest d)
{
	int path = irb_scalar(g->b, gen(g, call->arg[0]));
	int dentry = member(g->b, g->c, path, KM_PATH_DENTRY, 8);

	put_seen(g, dentry, member(g->b, g->c, path, KM_PATH_MNT, 8), d);
}

void chars_path(struct fire *g, const struct expr *call, struct dest d)
{
	int dentry = irb_scalar(g->b, gen_before(g, call->arg[0], call->arg[1]));
	int mount = irb_scalar(g->b, gen(g, call->arg[1])), none;

	if (call->arg[2]->value) {
		put_seen(g, dentry, mount, d);
		return;
	}
	none = irb_const(g->b, 0);
	put_path(g, dentry, mount, none, none, d);
}

int check_path(struct compiler *c, const struct expr *call)
{
	if (!c->opt->replay)
		return 0;
	return diag_error(c->d, D_UNSUPPORTED, call->loc,
			  "paths are not known in replay: captures do not have files");
}
