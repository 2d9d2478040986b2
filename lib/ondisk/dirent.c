/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks directory blocks, judges entries, and finds the way back in. */
#include "ondisk/dirent.h"

#include "base/banned.h"
#include "ondisk/defect.h"

enum {
	OFF_REC_LEN = 4,
	OFF_NAME_LEN = 6,
	OFF_TYPE = 7,
	ALIGN = 4,
	TYPE_DIR = 2,
	/* So many entries in a row are no accident. */
	CHAIN_LEN = 4,
};

u32 dirent_need_bytes(const struct dirent_rules *rules, u32 name_len)
{
	u32 bytes = DIRENT_HEAD_BYTES + name_len;

	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	return bytes + (rules->hashed ? DIRENT_HASH_BYTES : 0);
}

struct dirent_rules dirent_rules_of(const struct geom *g,
				    const struct inode *dir)
{
	const u32 both = INODE_FLAG_ENCRYPT | INODE_FLAG_CASEFOLD;

	return (struct dirent_rules){
		.block_bytes = g->block_bytes,
		.nr_inodes = g->nr_inodes,
		.first_ino = g->first_ino,
		.filetype = g->features.incompat & FEAT_INCOMPAT_FILETYPE,
		.has_tail =
			g->features.ro_compat & FEAT_RO_COMPAT_METADATA_CSUM,
		.hashed = (dir->flags & both) == both,
		.encrypted = dir->flags & INODE_FLAG_ENCRYPT,
		.indexed = dir->flags & INODE_FLAG_INDEX,
	};
}

bool dirent_has_tail(struct span block)
{
	struct span tail;

	if (block.len < DIRENT_TAIL_BYTES)
		return false;
	tail = span_sub(block, block.len - DIRENT_TAIL_BYTES,
			DIRENT_TAIL_BYTES);
	return !span_le32(tail, 0) &&
	       span_le16(tail, OFF_REC_LEN) == DIRENT_TAIL_BYTES &&
	       !span_u8(tail, OFF_NAME_LEN) &&
	       span_u8(tail, OFF_TYPE) == DIRENT_TAIL_TYPE;
}

/*
 * A node of an htree may end in bytes that look like a tail: what was left of
 * one when the block was a leaf.
 */
static bool may_have_tail(const struct dirent_iter *it)
{
	const struct dirent_rules *rules = it->rules;
	u16 raw = span_le16(it->block, OFF_REC_LEN);
	bool is_inner = !span_le32(it->block, 0) &&
			dirent_rec_decode(raw, rules->block_bytes) ==
				rules->block_bytes;

	return rules->has_tail &&
	       !(rules->indexed && (it->first_block || is_inner));
}

void dirent_iter_init(struct dirent_iter *it, struct span block,
		      const struct dirent_rules *rules, bool first_block)
{
	*it = (struct dirent_iter){
		.block = block,
		.rules = rules,
		.end = (u32)block.len,
		.first_block = first_block,
	};
	if (may_have_tail(it) && dirent_has_tail(block))
		it->end -= DIRENT_TAIL_BYTES;
}

/* Whether an entry of this length at off leaves a possible rest. */
static bool rec_fits(u32 rec, u32 off, u32 end)
{
	return rec >= DIRENT_MIN_BYTES && rec % ALIGN == 0 &&
	       rec <= end - off &&
	       (rec == end - off || end - off - rec >= DIRENT_MIN_BYTES);
}

static bool is_dots(const struct dirent *d)
{
	return d->name_len && d->name_len <= 2 && d->name[0] == '.' &&
	       d->name[d->name_len - 1] == '.';
}

static u32 read_name_len(const struct dirent_iter *it, u32 off)
{
	u32 len = span_u8(it->block, (size_t)off + OFF_NAME_LEN);

	if (!it->rules->filetype)
		len |= (u32)span_u8(it->block, (size_t)off + OFF_TYPE) << 8;
	return len;
}

/* Bytes for this name, which has no hash when it is "." or "..". */
static u32 need_bytes(const struct dirent_iter *it, const struct dirent *d)
{
	u32 bytes = dirent_need_bytes(it->rules, d->name_len);

	return it->rules->hashed && is_dots(d) ? bytes - DIRENT_HASH_BYTES
					       : bytes;
}

static bool name_is_bad(const struct dirent *d)
{
	for (u32 i = 0; i < d->name_len; i++)
		if (!d->name[i] || d->name[i] == '/')
			return true;
	return false;
}

static u32 check_ino(const struct dirent_rules *rules, u32 ino)
{
	if (ino > rules->nr_inodes)
		return DIRENT_BAD_INO;
	return defect_if(ino < rules->first_ino && ino != INODE_ROOT,
			 DIRENT_BAD_RESERVED);
}

/* What is wrong with an entry that names an inode. */
static u32 check_live(const struct dirent_iter *it, const struct dirent *d,
		      u32 name_len)
{
	u32 room = d->rec_bytes ? d->rec_bytes : it->end - d->off;
	u32 defects = check_ino(it->rules, d->ino);

	defects |= defect_if(it->rules->filetype && d->type > DIRENT_TYPE_MAX,
			     DIRENT_BAD_TYPE);
	if (!d->name_len || name_len > DIRENT_NAME_MAX ||
	    need_bytes(it, d) > room)
		return defects | DIRENT_BAD_NAME_LEN;
	if (is_dots(d))
		return defects | defect_if(!it->first_block ||
					   it->nr != d->name_len - 1u,
					   DIRENT_BAD_DOT);
	return defects | defect_if(!it->rules->encrypted && name_is_bad(d),
				   DIRENT_BAD_NAME);
}

/* Decodes and judges the entry at off; there are 8 bytes of it at least. */
static void read_entry(const struct dirent_iter *it, u32 off, struct dirent *d)
{
	u16 raw = span_le16(it->block, (size_t)off + OFF_REC_LEN);
	u32 rec = dirent_rec_decode(raw, it->rules->block_bytes);
	u32 name_len = read_name_len(it, off);
	bool fits = rec_fits(rec, off, it->end);

	*d = (struct dirent){
		.off = off,
		.rec_bytes = fits ? rec : 0,
		.ino = span_le32(it->block, off),
		.name = it->block.bytes + off + DIRENT_HEAD_BYTES,
		.defects = defect_if(!fits, DIRENT_BAD_REC_LEN),
	};
	if (it->rules->filetype)
		d->type = span_u8(it->block, (size_t)off + OFF_TYPE);
	if (name_len <= it->end - off - DIRENT_HEAD_BYTES)
		d->name_len = (u16)name_len;
	if (d->ino)
		d->defects |= check_live(it, d, name_len) |
			      defect_if(fits && !raw, DIRENT_ZERO_REC_LEN);
}

bool dirent_next(struct dirent_iter *it, struct dirent *d)
{
	if (it->broken || it->next >= it->end)
		return false;
	if (it->end - it->next < DIRENT_HEAD_BYTES) {
		*d = (struct dirent){.off = it->next,
				     .name = it->block.bytes,
				     .defects = DIRENT_BAD_REC_LEN};
		it->broken = true;
		return true;
	}
	read_entry(it, it->next, d);
	it->nr++;
	if (d->defects & DIRENT_BAD_REC_LEN)
		it->broken = true;
	else
		it->next += d->rec_bytes;
	return true;
}

/* Whether off starts an entry that names an inode and has nothing wrong. */
static bool is_live_entry(const struct dirent_iter *it, u32 off, u32 *rec)
{
	const u32 ignore = DIRENT_BAD_DOT | DIRENT_BAD_RESERVED;
	struct dirent d;

	read_entry(it, off, &d);
	*rec = d.rec_bytes;
	return d.ino && !(d.defects & ~ignore);
}

static bool is_free_entry(const struct dirent_iter *it, u32 off, u32 *rec)
{
	struct dirent d;

	read_entry(it, off, &d);
	*rec = d.rec_bytes;
	return !d.ino && !d.defects;
}

/* A live entry that is followed by others, live or free, or by the end. */
static bool is_chain(const struct dirent_iter *it, u32 off)
{
	u32 rec;

	if (!is_live_entry(it, off, &rec))
		return false;
	for (unsigned nr = 1; nr < CHAIN_LEN; nr++) {
		off += rec;
		if (off == it->end)
			return true;
		if (!is_live_entry(it, off, &rec) &&
		    !is_free_entry(it, off, &rec))
			return false;
	}
	return true;
}

u32 dirent_find(const struct dirent_iter *it, u32 from, u32 end)
{
	u32 last = end < it->end ? end : it->end;

	from = (from + ALIGN - 1) / ALIGN * ALIGN;
	for (u32 off = from; off < last && last - off >= DIRENT_MIN_BYTES;
	     off += ALIGN)
		if (is_chain(it, off))
			return off;
	return end;
}

bool dirent_resync(struct dirent_iter *it)
{
	u32 off;

	if (!it->broken)
		return true;
	off = dirent_find(it, it->next + ALIGN, it->end);
	if (off >= it->end)
		return false;
	it->next = off;
	it->broken = false;
	return true;
}

static bool is_named(const struct dirent *d, u32 name_len)
{
	return d->ino && is_dots(d) && d->name_len == name_len;
}

static bool is_dir_type(const struct dirent_rules *rules,
			const struct dirent *d)
{
	return !rules->filetype || d->type == TYPE_DIR || !d->type;
}

struct dir_dots dirent_dots(struct span block, const struct dirent_rules *rules,
			    u32 self_ino)
{
	struct dir_dots dots = {0, DIR_DOTDOT_MISSING};
	struct dirent_iter it;
	struct dirent d;

	dirent_iter_init(&it, block, rules, true);
	if (!dirent_next(&it, &d) || !is_named(&d, 1)) {
		dots.defects |= DIR_DOT_MISSING;
	} else {
		dots.defects |= defect_if(d.ino != self_ino, DIR_DOT_BAD_INO) |
				defect_if(d.rec_bytes != DIRENT_MIN_BYTES,
					  DIR_DOT_BAD_REC_LEN) |
				defect_if(!is_dir_type(rules, &d),
					  DIR_DOT_BAD_TYPE);
	}
	/* With a broken "." its usual length still leads to "..". */
	if (it.broken || it.next != DIRENT_MIN_BYTES) {
		it.broken = false;
		it.next = DIRENT_MIN_BYTES;
	}
	if (!dirent_next(&it, &d) || !is_named(&d, 2))
		return dots;
	dots.defects &= ~(u32)DIR_DOTDOT_MISSING;
	dots.defects |= defect_if(!is_dir_type(rules, &d), DIR_DOT_BAD_TYPE);
	if (check_ino(rules, d.ino))
		dots.defects |= DIR_DOTDOT_BAD_INO;
	else
		dots.parent_ino = d.ino;
	return dots;
}
