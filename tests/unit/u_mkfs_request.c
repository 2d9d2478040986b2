/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option values into a request: what is taken, and the sentence when not. */
#include "mkfs/request.h"

#include <errno.h>

#include "base/banned.h"
#include "tests/lib/tap.h"

typedef errcode_t (*take_fn)(struct mkfs_request *rq, const char *text,
			     struct str *why);

static bool taken(take_fn take, struct mkfs_request *rq, const char *text)
{
	struct str why = STR_INIT;
	bool ok = !take(rq, text, &why);

	tap_ok(ok == !why.len, "a sentence exactly when it is refused");
	str_free(&why);
	return ok;
}

/* Whether text is refused with a sentence that has part in it. */
static void refused(take_fn take, const char *text, const char *part)
{
	struct mkfs_request rq = {0};
	struct str why = STR_INIT;
	errcode_t rc = take(&rq, text, &why);
	struct str name = STR_INIT;

	str_addf(&name, "'%s' is refused: %s", text, str_text(&why));
	tap_ok(rc == EINVAL && strstr(str_text(&why), part), str_text(&name));
	str_free(&name);
	str_free(&why);
	mkfs_request_free(&rq);
}

static void test_amount(void)
{
	struct mkfs_amount a = {0};

	tap_ok(!mkfs_amount_parse("12", &a) && a.given && !a.bytes,
	       "a bare number counts blocks");
	tap_is_u64(a.num, 12, "twelve");
	tap_ok(!mkfs_amount_parse("12M", &a) && a.bytes, "a unit means bytes");
	tap_is_u64(a.num, 12 << 20, "twelve MiB");
	tap_ok(mkfs_amount_parse("0", &a) == EINVAL, "nothing is no size");
	tap_ok(mkfs_amount_parse("", &a) == EINVAL, "nor is an empty text");
	tap_ok(mkfs_amount_parse("12Q", &a) == EINVAL, "nor is a wrong unit");
	tap_ok(mkfs_amount_parse("99999999999P", &a) == EINVAL,
	       "nor is more than 64 bits");
}

static void test_block(void)
{
	struct mkfs_request rq = {0};
	struct str why = STR_INIT;

	for (u64 b = 1024; b <= 65536; b *= 2)
		tap_ok(!mkfs_request_block(&rq, b, &why) && rq.block_bytes == b,
		       "a power of two is a block size");
	tap_ok(mkfs_request_block(&rq, 12288, &why) == EINVAL &&
		       strstr(str_text(&why), "such as 8192 or 16384"),
	       "12288: the neighbours are named");
	str_free(&why);
	tap_ok(mkfs_request_block(&rq, 131072, &why) == EINVAL,
	       "128 KiB is too large");
	str_free(&why);
	tap_ok(mkfs_request_block(&rq, 0, &why) == EINVAL, "0 is none");
	str_free(&why);
}

static void test_extended(void)
{
	struct mkfs_request rq = {0};
	take_fn take = mkfs_request_extended;

	tap_ok(taken(take, &rq,
		     "stride=4,stripe-width=16,,lazy_itable_init=0,discard"),
	       "a list of keys");
	tap_is_u64(rq.stride_blks, 4, "stride");
	tap_is_u64(rq.stripe_blks, 16, "stripe-width");
	tap_ok(rq.lazy_itable == MKFS_OFF && rq.discard == MKFS_ON, "switches");
	tap_ok(rq.lazy_journal == MKFS_DEFAULT, "what is not said stays");
	tap_ok(taken(take, &rq, "stripe_width=8,lazy_journal_init,nodiscard"),
	       "a second list adds to the first");
	tap_ok(rq.stripe_blks == 8 && rq.stride_blks == 4 &&
		       rq.lazy_journal == MKFS_ON && rq.discard == MKFS_OFF,
	       "the last one counts");
	tap_ok(taken(take, &rq, "orphan_file_size=8M,resize=1000,desc_size=64"),
	       "sizes");
	tap_ok(rq.orphan_size.bytes && rq.orphan_size.num == 8 << 20,
	       "orphan_file_size in bytes");
	tap_ok(!rq.resize.bytes && rq.resize.num == 1000, "resize in blocks");
	tap_ok(!rq.nr_backups_given && taken(take, &rq, "num_backup_sb=0") &&
		       rq.nr_backups_given && !rq.nr_backups,
	       "num_backup_sb=0 is said, not missing");
	tap_ok(taken(take, &rq, "root_owner=7:70000") && rq.root_given &&
		       rq.root_uid == 7 && rq.root_gid == 70000,
	       "root_owner");
	tap_ok(taken(take, &rq,
		     "target_kernel=6.12,target_kernel=6.19,"
		     "target_page_size=16k,target_lbs=no"),
	       "a target");
	tap_is_str(rq.target.kernel, "6.19", "its kernel, the last one");
	tap_ok(rq.target.page_bytes == 16384 &&
		       rq.target.large_blocks == TRI_NO,
	       "its pages and blocks");
	mkfs_request_free(&rq);
	refused(take, "bogus", "bogus is not known");
	refused(take, "stride=4,bogus=1", "bogus is not known");
	refused(take, "stride", "stride must be");
	refused(take, "stride=70000", "stride=70000 must be");
	refused(take, "nodiscard=1", "takes no value");
	refused(take, "lazy_itable_init=2", "0 or 1");
	refused(take, "root_owner=1", "UID:GID");
	refused(take, "root_owner=1:x", "UID:GID");
	refused(take, "root_owner=1:4294967296", "UID:GID");
	refused(take, "hash_seed=1", "UUID");
	refused(take, "target_kernel", "target_kernel");
	refused(take, "offset=1", "not here yet");
}

static void test_journal(void)
{
	struct mkfs_request rq = {0};
	take_fn take = mkfs_request_journal;

	tap_ok(taken(take, &rq, "size=64,fast_commit_size=256") && rq.journal,
	       "-J asks for a journal");
	tap_is_u64(rq.journal_bytes, 64 << 20, "size counts MiB");
	tap_is_u64(rq.fast_commit.num, 256 << 10, "fast_commit_size KiB");
	tap_ok(taken(take, &rq, "size=1G") && rq.journal_bytes == 1 << 30,
	       "with a unit it counts that");
	refused(take, "size", "MiB");
	refused(take, "size=0", "MiB");
	refused(take, "device=/dev/sdx", "not here yet");
	refused(take, "wrong=1", "wrong is not known");
}

static void test_features(void)
{
	struct mkfs_request rq = {0};
	take_fn take = mkfs_request_features;

	tap_ok(taken(take, &rq, "bigalloc,^has_journal,extents"),
	       "features, an alias among them");
	tap_is_u64(rq.features.set.ro_compat, FEAT_RO_COMPAT_BIGALLOC, "set");
	tap_is_u64(rq.features.set.incompat, FEAT_INCOMPAT_EXTENTS, "alias");
	tap_is_u64(rq.features.clear.compat, FEAT_COMPAT_HAS_JOURNAL, "clear");
	tap_ok(taken(take, &rq, "has_journal") && !rq.features.clear.compat &&
		       rq.features.set.compat == FEAT_COMPAT_HAS_JOURNAL,
	       "a later word takes an earlier one back");
	tap_ok(taken(take, &rq, "none,filetype") && rq.features.none &&
		       !rq.features.set.compat && !rq.features.set.ro_compat &&
		       rq.features.set.incompat == FEAT_INCOMPAT_FILETYPE,
	       "none forgets what came before");
	refused(take, "bogus", "no such feature");
	refused(take, "quota", "not here yet");
	refused(take, "^casefold", "not here yet");
}

static void test_single_values(void)
{
	struct mkfs_request rq = {0};

	tap_ok(taken(mkfs_request_uuid, &rq, "clear") &&
		       rq.uuid_kind == MKFS_UUID_CLEAR,
	       "-U clear");
	tap_ok(taken(mkfs_request_uuid, &rq,
		     "01020304-0506-0708-090a-0b0c0d0e0f10") &&
		       rq.uuid_kind == MKFS_UUID_GIVEN && rq.uuid[15] == 16,
	       "-U with a UUID");
	refused(mkfs_request_uuid, "01020304", "give a UUID");
	tap_ok(taken(mkfs_request_percent, &rq, "0") && rq.reserved_given,
	       "-m 0 is said");
	tap_ok(taken(mkfs_request_percent, &rq, "1.5") &&
		       rq.reserved_percent > 1.4,
	       "-m 1.5");
	refused(mkfs_request_percent, "50.1", "0 to 50");
	refused(mkfs_request_percent, "nan", "0 to 50");
	refused(mkfs_request_percent, "", "0 to 50");
	tap_ok(taken(mkfs_request_errors, &rq, "panic") && rq.errors == 3,
	       "-e panic");
	refused(mkfs_request_errors, "never", "remount-ro");
	tap_ok(taken(mkfs_request_creator, &rq, "freebsd") &&
		       rq.creator_os == 3,
	       "-o freebsd");
	refused(mkfs_request_creator, "hurd", "not here yet");
	refused(mkfs_request_creator, "vms", "masix");
	tap_ok(taken(mkfs_request_size, &rq, "20G") &&
		       rq.size.num == 20ULL << 30,
	       "a filesystem size");
	refused(mkfs_request_size, "-5", "such as 20G");
}

static void test_program_name(void)
{
	struct mkfs_request rq = {0};

	mkfs_request_program(&rq, "/sbin/mke2fs");
	tap_ok(!rq.type_given, "mke2fs says no type");
	mkfs_request_program(&rq, "mkfs.bogus");
	tap_ok(!rq.type_given, "nor does an unknown one");
	mkfs_request_program(&rq, "/sbin/mkfs.ext3");
	tap_ok(rq.type_given && rq.type == LBS_EXT3, "mkfs.ext3 does");
}

int main(void)
{
	err_init();
	test_amount();
	test_block();
	test_extended();
	test_journal();
	test_features();
	test_single_values();
	test_program_name();
	return tap_done();
}
