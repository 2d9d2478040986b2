/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hashes of names as htrees use them. Not here: siphash, which needs a key,
 * and the folding of names in casefolded directories.
 */
#ifndef ONDISK_DIRHASH_H
#define ONDISK_DIRHASH_H

#include "base/span.h"
#include "ondisk/htree.h"
#include "ondisk/super.h"

/* What a filesystem adds to the hash version of a root. */
struct dirhash_rules {
	u32 seed[4];	     /* from the superblock */
	bool signed_bytes; /* of names: as on the machine that made it */
};

struct dirhash {
	u32 major; /* what htree entries hold; its lowest bit is 0 */
	u32 minor; /* 0 with HTREE_HASH_LEGACY */
};

struct dirhash_rules dirhash_rules_of(const struct super *sb);
/* False for a version without a hash of its own here. */
bool dirhash(enum htree_hash version, struct span name,
	     const struct dirhash_rules *rules, struct dirhash *hash);

#endif
