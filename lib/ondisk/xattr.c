/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and judges extended attributes, and computes their hashes. */
#include "ondisk/xattr.h"

#include "base/banned.h"
#include "ondisk/defect.h"

enum {
	XATTR_MAGIC = 0xEA020000,
	OFF_REFCOUNT = 4,
	OFF_NR_BLKS = 8,
	OFF_BLOCK_HASH = 12,
	/* in an entry */
	OFF_INDEX = 1,
	OFF_VALUE_OFF = 2,
	OFF_VALUE_INO = 4,
	OFF_VALUE_BYTES = 8,
	OFF_HASH = 12,
	END_BYTES = 4, /* zeroes that end the table */
	ALIGN = 4,
	INDEX_ACL_ACCESS = 2,
	INDEX_ACL_DEFAULT = 3,
	INDEX_RICHACL = 8,
	NAME_SHIFT = 5,
	VALUE_SHIFT = 16,
};

static u32 rol32(u32 v, unsigned n)
{
	return v << n | v >> (32 - n);
}

static u32 entry_bytes(u32 name_len)
{
	return (XATTR_ENTRY_BYTES + name_len + ALIGN - 1) / ALIGN * ALIGN;
}

/* Whether an entry starts at off and lies wholly inside. */
static bool entry_at(const struct xattr_area *area, u32 off, u32 *end)
{
	u32 len;

	/* An entry whose first 4 bytes are 0 is the end. */
	if (!span_has(area->bytes, off, XATTR_ENTRY_BYTES) ||
	    !span_le32(area->bytes, off))
		return false;
	len = entry_bytes(span_u8(area->bytes, off));
	*end = off + len;
	return span_has(area->bytes, off, len);
}

static void find_table_end(struct xattr_area *area)
{
	u32 end;

	area->table_end = area->first_off;
	while (entry_at(area, area->table_end, &end))
		area->table_end = end;
	/* Whatever ended it, it has to be the zeroes. */
	if (!span_has(area->bytes, area->table_end, END_BYTES) ||
	    span_le32(area->bytes, area->table_end))
		area->defects |= XATTR_BAD_TABLE;
}

void xattr_block_parse(struct span block, struct xattr_area *area)
{
	*area = (struct xattr_area){
		.bytes = block,
		.is_block = true,
		.present = span_le32(block, 0) == XATTR_MAGIC,
		.first_off = XATTR_BLOCK_HEAD_BYTES,
		.table_end = XATTR_BLOCK_HEAD_BYTES,
		.refcount = span_le32(block, OFF_REFCOUNT),
		.hash = span_le32(block, OFF_BLOCK_HASH),
	};
	if (!area->present) {
		area->defects = XATTR_BAD_MAGIC;
		return;
	}
	area->defects = defect_if(!area->refcount ||
					  area->refcount > XATTR_REFCOUNT_MAX,
				  XATTR_BAD_REFCOUNT) |
			defect_if(span_le32(block, OFF_NR_BLKS) != 1,
				  XATTR_BAD_NR_BLKS);
	find_table_end(area);
}

void xattr_inode_parse(struct span inode, u16 extra_bytes,
		       struct xattr_area *area)
{
	size_t head = (size_t)INODE_BASE_BYTES + extra_bytes;
	size_t first = head + XATTR_INODE_HEAD_BYTES;

	*area = (struct xattr_area){0};
	if (!extra_bytes || first > inode.len ||
	    span_le32(inode, head) != XATTR_MAGIC)
		return;
	area->present = true;
	area->bytes = span_sub(inode, first, inode.len - first);
	/* An area without room for the end mark has no entries. */
	if (area->bytes.len >= END_BYTES)
		find_table_end(area);
}

void xattr_iter_init(struct xattr_iter *it, const struct xattr_area *area,
		     const struct geom *g)
{
	size_t words = area->bytes.len / (ALIGN * 64) + 1;

	it->area = area;
	it->geom = g;
	it->next = area->first_off;
	it->prev = 0;
	/* In an inode one word is used of all these. */
	if (words > XATTR_MAP_WORDS)
		words = XATTR_MAP_WORDS;
	memset(it->used, 0, words * sizeof(it->used[0]));
}

/* Marks the value's bytes; whether some were marked before. */
static bool mark_value(struct xattr_iter *it, const struct xattr_entry *e)
{
	u32 first = e->value_off / ALIGN;
	u32 end = (e->value_off + e->value_bytes + ALIGN - 1) / ALIGN;
	bool twice = false;

	for (u32 i = first; i < end && i < XATTR_MAP_WORDS * 64; i++) {
		u64 bit = 1ull << i % 64;

		twice |= (it->used[i / 64] & bit) != 0;
		it->used[i / 64] |= bit;
	}
	return twice;
}

static u32 check_value(struct xattr_iter *it, struct xattr_entry *e)
{
	const struct xattr_area *area = it->area;

	if (!e->value_bytes)
		return 0;
	if (e->value_off < area->table_end + END_BYTES ||
	    !span_has(area->bytes, e->value_off, e->value_bytes))
		return XATTR_BAD_VALUE;
	e->value = span_sub(area->bytes, e->value_off, e->value_bytes);
	return defect_if(mark_value(it, e), XATTR_BAD_OVERLAP);
}

static u32 check_ea_ino(const struct xattr_entry *e, const struct geom *g)
{
	bool feature = g->features.incompat & FEAT_INCOMPAT_EA_INODE;

	return defect_if(!feature || e->value_ino < g->first_ino ||
				 e->value_ino > g->nr_inodes,
			 XATTR_BAD_EA_INO) |
	       defect_if(e->value_off || e->value_bytes > XATTR_VALUE_MAX,
			 XATTR_BAD_EA_SIZE);
}

static u32 check_name(const struct xattr_entry *e)
{
	bool may_be_empty = e->index == INDEX_ACL_ACCESS ||
			    e->index == INDEX_ACL_DEFAULT ||
			    e->index == INDEX_RICHACL;

	return defect_if(e->index > XATTR_INDEX_MAX, XATTR_BAD_INDEX) |
	       defect_if((!e->name_len && !may_be_empty) ||
				 memchr(e->name, 0, e->name_len),
			 XATTR_BAD_NAME);
}

/* Whether the entry at a sorts before the one at b. */
static bool sorts_before(struct span s, u32 a, u32 b)
{
	u8 a_len = span_u8(s, a), b_len = span_u8(s, b);
	u8 a_index = span_u8(s, (size_t)a + OFF_INDEX);
	u8 b_index = span_u8(s, (size_t)b + OFF_INDEX);

	if (a_index != b_index)
		return a_index < b_index;
	if (a_len != b_len)
		return a_len < b_len;
	return memcmp(s.bytes + a + XATTR_ENTRY_BYTES,
		      s.bytes + b + XATTR_ENTRY_BYTES, a_len) < 0;
}

static void read_entry(struct span s, u32 off, struct xattr_entry *e)
{
	struct span raw = span_sub(s, off, XATTR_ENTRY_BYTES);

	*e = (struct xattr_entry){
		.off = off,
		.index = span_u8(raw, OFF_INDEX),
		.name_len = span_u8(raw, 0),
		.name = s.bytes + off + XATTR_ENTRY_BYTES,
		.value_ino = span_le32(raw, OFF_VALUE_INO),
		.value_off = span_le16(raw, OFF_VALUE_OFF),
		.value_bytes = span_le32(raw, OFF_VALUE_BYTES),
		.hash = span_le32(raw, OFF_HASH),
	};
}

bool xattr_next(struct xattr_iter *it, struct xattr_entry *e)
{
	const struct xattr_area *area = it->area;
	u32 off = it->next;

	if (!area->present || off >= area->table_end)
		return false;
	read_entry(area->bytes, off, e);
	e->defects = check_name(e);
	if (e->value_ino)
		e->defects |= check_ea_ino(e, it->geom);
	else
		e->defects |= check_value(it, e);
	if (area->is_block && it->prev)
		e->defects |= defect_if(
			!sorts_before(area->bytes, it->prev, off),
			XATTR_BAD_ORDER);
	it->prev = off;
	it->next = off + entry_bytes(e->name_len);
	return true;
}

/* The last word is filled up with zeroes. */
static u32 hash_value(u32 hash, struct span value)
{
	size_t off = 0;
	u32 last = 0;

	for (; value.len - off >= 4; off += 4)
		hash = rol32(hash, VALUE_SHIFT) ^ span_le32(value, off);
	if (off == value.len)
		return hash;
	for (size_t i = off; i < value.len; i++)
		last |= (u32)value.bytes[i] << 8 * (i - off);
	return rol32(hash, VALUE_SHIFT) ^ last;
}

u32 xattr_hash(const struct xattr_entry *e, u32 value_crc, bool signed_bytes)
{
	u32 hash = 0;

	for (u32 i = 0; i < e->name_len; i++) {
		u32 byte = e->name[i];

		if (signed_bytes && byte & 0x80)
			byte |= 0xFFFFFF00;
		hash = rol32(hash, NAME_SHIFT) ^ byte;
	}
	if (e->value_ino)
		return rol32(hash, VALUE_SHIFT) ^ value_crc;
	return hash_value(hash, e->value);
}

bool xattr_hash_ok(const struct xattr_area *area, const struct xattr_entry *e,
		   u32 value_crc)
{
	if (!area->is_block && !e->value_ino && !e->hash)
		return true;
	return e->hash == xattr_hash(e, value_crc, false) ||
	       e->hash == xattr_hash(e, value_crc, true);
}

u32 xattr_block_hash(const struct xattr_area *area)
{
	u32 hash = 0, end = 0;

	for (u32 off = area->first_off;
	     off < area->table_end && entry_at(area, off, &end); off = end) {
		u32 one = span_le32(area->bytes, (size_t)off + OFF_HASH);

		if (!one)
			return 0;
		hash = rol32(hash, VALUE_SHIFT) ^ one;
	}
	return hash;
}

struct xattr_ea_inode xattr_ea_inode(const struct inode *ino)
{
	return (struct xattr_ea_inode){
		.refs = (u64)(u32)ino->ctime.sec << 32 | (u32)ino->version,
		.value_crc = (u32)ino->atime.sec,
		.old_owner = (u32)ino->mtime.sec,
		.old_owner_generation = ino->generation,
	};
}
