/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checksums of a log's blocks, of each kind. The functions named _ok say true
 * when the journal has no such checksum.
 */
#ifndef JBD2_CSUM_H
#define JBD2_CSUM_H

#include "jbd2/format.h"

#define JBD2_V1_SEED (~0u) /* what a v1 sum of a transaction starts from */

enum jbd2_commit_sum {
	JBD2_COMMIT_OK,
	JBD2_COMMIT_PARTIAL, /* right when all after the header counts as 0 */
	JBD2_COMMIT_BAD,
};

/* Descriptor or revoke block with v2 or v3: what its last 4 bytes should be. */
u32 jbd2_block_csum(const struct jbd2_format *f, struct span block);
bool jbd2_block_csum_ok(const struct jbd2_format *f, struct span block);
/* A data block as it is in the log; v2 keeps the low 16 bits of it. */
u32 jbd2_data_csum(const struct jbd2_format *f, u32 sequence,
		   struct span block);
bool jbd2_data_csum_ok(const struct jbd2_format *f, u32 sequence,
		       const struct jbd2_tag *tag, struct span block);
/* Commit block with v2 or v3, of which the first len bytes count. */
u32 jbd2_commit_csum(const struct jbd2_format *f, struct span block,
		     size_t len);
/* v1_sum: of the transaction's blocks, looked at with v1 only. */
enum jbd2_commit_sum jbd2_commit_csum_check(const struct jbd2_format *f,
					    struct span block, u32 v1_sum);

#endif
