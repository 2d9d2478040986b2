/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that declare a target, for every verb that has them: a verb puts
 * the rows it wants into its table, and all read them in the same way.
 */
#ifndef MISC_E2LBS_TARGET_H
#define MISC_E2LBS_TARGET_H

#include "cli/opts.h"
#include "probe/target.h"

#define E2LBS_TARGET_KERNEL_ROWS                                            \
	{.name = "target-kernel", .kind = OPT_TEXT, .arg = "VERSION",        \
	 .help = "judge for this Linux version instead"},                    \
	{.name = "target-page-size", .kind = OPT_BYTES, .arg = "SIZE",       \
	 .help = "judge for this page size (default 4096 for a target)"},    \
	{.name = "target-lbs", .kind = OPT_TEXT, .arg = "yes|no",            \
	 .help = "say whether the target takes blocks above its page size"}

#define E2LBS_TARGET_DEVICE_ROWS                                            \
	{.name = "target-sector-size", .kind = OPT_BYTES, .arg = "SIZE",     \
	 .help = "judge for a device with this logical sector size"},        \
	{.name = "target-dax", .kind = OPT_TEXT, .arg = "yes|no",            \
	 .help = "say whether the target device supports DAX"}

/*
 * Reads the rows above from parsed options (o->error takes a sentence) and
 * checks them against each other. Texts are borrowed from o. Error: EINVAL.
 */
errcode_t e2lbs_target_read(struct opts *o, struct target *t) LB_MUST_CHECK;

#endif
