/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a whole image with lib/ondisk: every checksum, and every defect that a
 * room can see by itself. What fails is printed; counts say what was seen.
 */
#ifndef TESTS_STOCK_SCAN_H
#define TESTS_STOCK_SCAN_H

#include "ondisk/csum.h"
#include "ondisk/dirhash.h"
#include "ondisk/orphan.h"
#include "ondisk/xattr.h"
#include "stock.h"

struct seen {
	u32 descs, bitmaps, inodes, extent_blks, leaves, roots, inners, xattrs,
		values, orphans;
	u32 entries, extents, xattr_entries;
	u32 hashed;  /* names whose hash was compared with their leaf's */
	u32 wrong;   /* checksums */
	u32 defects; /* structures with one */
	bool csums;  /* whether there are any */
};

static inline void flaw(struct seen *seen, u32 defects, const char *what,
			u64 where)
{
	if (!defects)
		return;
	seen->defects++;
	printf("# %s %" PRIu64 ": defects %x\n", what, where, defects);
}

static inline void judge(struct seen *seen, u32 *kind, struct csum c,
			 const char *what)
{
	(*kind)++;
	if (!seen->csums || (c.present && csum_ok(c)))
		return;
	seen->wrong++;
	printf("# %s: checksum %s, stored %x, computed %x\n", what,
	       c.present ? "there" : "absent", c.stored, c.computed);
}

static inline void see_groups(const struct stock *s, struct seen *seen)
{
	for (u32 grp = 0; grp < s->g.nr_groups; grp++) {
		struct span raw = stock_desc(s, grp);
		struct gdesc gd;

		gdesc_parse(raw, &s->g, &gd);
		seen->descs++;
		seen->wrong += gd.csum != gdesc_csum(raw, &s->sb, &s->g, grp);
		if (!(gd.flags & GDESC_BLOCK_UNINIT))
			judge(seen, &seen->bitmaps,
			      csum_block_bitmap(
				      stock_block(s, gd.block_bitmap_blk),
				      s->seed, &s->g, &gd),
			      "block bitmap");
		if (!(gd.flags & GDESC_INODE_UNINIT))
			judge(seen, &seen->bitmaps,
			      csum_inode_bitmap(
				      stock_block(s, gd.inode_bitmap_blk),
				      s->seed, &s->g, &gd),
			      "inode bitmap");
	}
}

/* One inode that is looked at. */
struct seeing {
	const struct stock *s;
	struct seen *seen;
	struct inode inode;
	u32 ino;
	u32 seed;
};

static inline void see_node(const struct seeing *v, struct span node,
			    const struct extent_parent *parent)
{
	struct extent_iter it;
	struct extent_entry e;

	flaw(v->seen, extent_iter_init(&it, node, parent, &v->s->g), "node",
	     v->ino);
	while (extent_iter_next(&it, &e)) {
		struct extent_parent child = extent_iter_child(&it);
		struct span block = stock_block(v->s, e.pblk);

		v->seen->extents++;
		flaw(v->seen, e.defects, "extent", v->ino);
		if (!e.is_index || e.defects || !it.head.is_valid)
			continue;
		judge(v->seen, &v->seen->extent_blks,
		      csum_extent_block(block, v->seed), "extent block");
		see_node(v, block, &child);
	}
}

static inline void see_entries(const struct seeing *v, struct span block,
			       const struct dirent_rules *rules, bool first)
{
	struct dirent_iter it;
	struct dirent d;

	dirent_iter_init(&it, block, rules, first);
	while (dirent_next(&it, &d)) {
		v->seen->entries += d.ino != 0;
		flaw(v->seen, d.defects, "entry", v->ino);
	}
	if (first)
		flaw(v->seen, dirent_dots(block, rules, v->ino).defects,
		     "dots", v->ino);
}

static inline void see_htree(const struct seeing *v,
			     const struct htree_node *node, u32 *kind,
			     const struct htree_rules *rules)
{
	struct htree_bounds whole = htree_bounds_whole();

	judge(v->seen, kind, csum_htree_node(node, v->seed), "htree node");
	flaw(v->seen, node->defects, "htree node", v->ino);
	for (u32 i = 0; i < node->nr; i++)
		flaw(v->seen, htree_entry(node, i, rules, &whole).defects,
		     "htree entry", v->ino);
}

/* Every name of a leaf has a hash that the node above says it may have. */
static inline void see_hashes(const struct seeing *v, u32 lblk,
			      const struct htree_node *root,
			      const struct htree_bounds *bounds)
{
	struct dirhash_rules hash_rules = dirhash_rules_of(&v->s->sb);
	struct dirent_rules rules = dirent_rules_of(&v->s->g, &v->inode);
	struct dirent_iter it;
	struct dirent d;

	dirent_iter_init(&it,
			 stock_block(v->s, stock_map(v->s, &v->inode, lblk)),
			 &rules, false);
	while (dirent_next(&it, &d)) {
		struct dirhash hash;

		if (!d.ino || !dirhash((enum htree_hash)root->hash_version,
				       span_of(d.name, d.name_len), &hash_rules,
				       &hash))
			continue;
		v->seen->hashed++;
		flaw(v->seen,
		     hash.major < bounds->min || hash.major >= bounds->end,
		     "hash of a name", v->ino);
	}
}

static inline void see_leaves(const struct seeing *v,
			      const struct htree_node *node,
			      const struct htree_rules *rules)
{
	struct htree_bounds whole = htree_bounds_whole();

	for (u32 i = 0; !node->levels && i < node->nr; i++) {
		struct htree_bounds b = htree_bounds_child(node, i, &whole);
		struct htree_entry e = htree_entry(node, i, rules, &whole);

		see_hashes(v, e.blk, node, &b);
	}
}

static inline void see_dir_block(const struct seeing *v, u32 lblk,
				 const struct htree_rules *rules)
{
	struct span block = stock_block(v->s, stock_map(v->s, &v->inode, lblk));
	bool indexed = v->inode.flags & INODE_FLAG_INDEX;
	struct htree_node node;

	see_entries(v, block, &rules->dir, !lblk);
	htree_inner_parse(block, rules, &node);
	if (!lblk && indexed) {
		htree_root_parse(block, rules, &node);
		see_htree(v, &node, &v->seen->roots, rules);
		see_leaves(v, &node, rules);
	} else if (indexed && !node.defects) {
		see_htree(v, &node, &v->seen->inners, rules);
	} else {
		judge(v->seen, &v->seen->leaves, csum_dir_block(block, v->seed),
		      "directory block");
	}
}

static inline void see_dir(const struct seeing *v)
{
	struct htree_rules rules = htree_rules_of(&v->s->g, &v->inode);

	if (v->inode.flags & INODE_FLAG_INLINE_DATA) {
		rules.dir.has_tail = false;
		see_entries(v,
			    span_of(v->inode.map + 4, INODE_MAP_BYTES - 4),
			    &rules.dir, false);
		return;
	}
	for (u32 lblk = 0; lblk < rules.nr_dir_blks; lblk++)
		see_dir_block(v, lblk, &rules);
}

static inline void see_orphans(const struct seeing *v)
{
	u32 bs = v->s->g.block_bytes;

	flaw(v->seen, orphan_file_check(&v->inode, &v->s->g), "orphan file",
	     v->ino);
	for (u32 i = 0; i < v->inode.file_bytes / bs; i++) {
		u64 blk = stock_map(v->s, &v->inode, i);
		struct span block = stock_block(v->s, blk);

		flaw(v->seen, orphan_block_check(block), "orphan block", i);
		judge(v->seen, &v->seen->orphans,
		      csum_orphan_block(block, v->seed, blk), "orphan block");
	}
}

/* The value of an EA inode, which may have several blocks. */
static inline u32 value_crc(const struct seeing *v)
{
	u32 crc = v->s->seed, bs = v->s->g.block_bytes;
	u64 left = v->inode.file_bytes;

	for (u32 i = 0; left; i++) {
		struct span part = stock_block(v->s,
					       stock_map(v->s, &v->inode, i));

		part.len = (size_t)u64_min(left, bs);
		crc = csum_xattr_value(part, crc);
		left -= part.len;
	}
	return crc;
}

static inline void see_xattrs(const struct seeing *v,
			      const struct xattr_area *area)
{
	struct xattr_iter it;
	struct xattr_entry e;
	u32 crc;

	flaw(v->seen, area->defects, "xattrs", v->ino);
	xattr_iter_init(&it, area, &v->s->g);
	while (xattr_next(&it, &e)) {
		struct inode ea = stock_inode(v->s, e.value_ino ? e.value_ino
								: v->ino);

		crc = xattr_ea_inode(&ea).value_crc;
		v->seen->xattr_entries++;
		flaw(v->seen, e.defects, "xattr", v->ino);
		flaw(v->seen, !xattr_hash_ok(area, &e, crc), "xattr hash",
		     v->ino);
	}
	/* libext2fs leaves the hash of a block out. */
	if (area->is_block && area->hash)
		flaw(v->seen, area->hash != xattr_block_hash(area),
		     "hash of an xattr block", v->ino);
}

static inline void see_all_xattrs(const struct seeing *v)
{
	struct xattr_area area;

	xattr_inode_parse(stock_inode_raw(v->s, v->ino), v->inode.extra_bytes,
			  &area);
	see_xattrs(v, &area);
	if (!v->inode.file_acl)
		return;
	xattr_block_parse(stock_block(v->s, v->inode.file_acl), &area);
	see_xattrs(v, &area);
	judge(v->seen, &v->seen->xattrs,
	      csum_xattr_block(area.bytes, v->s->seed, v->inode.file_acl),
	      "xattr block");
}

static inline void see_inode(const struct stock *s, u32 ino, struct seen *seen)
{
	struct extent_parent root = {.is_root = true};
	struct seeing v = {s, seen, stock_inode(s, ino), ino, 0};

	if (inode_is_zero(stock_inode_raw(s, ino)))
		return;
	v.seed = csum_inode_seed(s->seed, ino, v.inode.generation);
	judge(seen, &seen->inodes,
	      csum_inode(stock_inode_raw(s, ino), s->seed, ino), "inode");
	if (!v.inode.links)
		return;
	flaw(seen, inode_check(&v.inode, &s->g), "inode", ino);
	if (inode_map_kind(&v.inode) == INODE_MAP_EXTENTS)
		see_node(&v, span_of(v.inode.map, INODE_MAP_BYTES), &root);
	if (inode_is_dir(&v.inode))
		see_dir(&v);
	see_all_xattrs(&v);
	if (v.inode.flags & INODE_FLAG_EA_INODE) {
		seen->values++;
		seen->wrong += value_crc(&v) !=
			       xattr_ea_inode(&v.inode).value_crc;
	}
	if (ino == s->sb.orphan_file_inum)
		see_orphans(&v);
}

/* Everything in the image. */
static inline void stock_scan(const struct stock *s, struct seen *seen)
{
	*seen = (struct seen){.csums = s->g.features.ro_compat &
				       FEAT_RO_COMPAT_METADATA_CSUM};
	see_groups(s, seen);
	for (u32 ino = 1; ino <= s->g.nr_inodes; ino++)
		see_inode(s, ino, seen);
	printf("# %u descriptors, %u bitmaps, %u inodes, %u extents in %u "
	       "blocks, %u entries in %u+%u+%u blocks, %u xattrs in %u blocks, "
	       "%u EA inodes, %u orphan blocks, %u names hashed\n",
	       seen->descs, seen->bitmaps, seen->inodes, seen->extents,
	       seen->extent_blks, seen->entries, seen->leaves, seen->roots,
	       seen->inners, seen->xattr_entries, seen->xattrs, seen->values,
	       seen->orphans, seen->hashed);
}

#endif
