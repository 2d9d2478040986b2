/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct facts: what a kernel and a device can do, as yes / no / unknown with
 * the reason. Made by probing a machine (or a recorded tree), or declared as a
 * target; const afterwards. Engines read facts and never look at /sys.
 */
#ifndef PROBE_FACTS_H
#define PROBE_FACTS_H

#include "base/err.h"
#include "base/json.h"
#include "base/types.h"

enum tri { TRI_UNKNOWN, TRI_NO, TRI_YES };

enum { FACT_WHY_MAX = 200, FACT_NAME_MAX = 128, FACT_FEATURES_MAX = 48 };

struct fact {
	enum tri value;
	char why[FACT_WHY_MAX]; /* one clause, no full stop; never empty */
};

/* Where a filesystem is to be mounted: one kernel. */
struct kernel_facts {
	bool declared;		     /* a target the user named, not measured */
	char release[FACT_NAME_MAX]; /* "6.1.0-53-cloud-amd64", "" unknown */
	u32 version;		     /* KVER(major, minor), 0 unknown */
	u64 page_bytes;		     /* 0 unknown */
	struct fact large_blocks;    /* ext4 takes block size > page size */
	struct fact huge_pages;	     /* transparent huge pages are built in */
	struct fact ext4_present;    /* ext4 is loaded or built in */
	/* Names of the files in /sys/fs/ext4/features. */
	u32 nr_features;
	char features[FACT_FEATURES_MAX][64];
};

/* What the filesystem sits on; absent for an image file. */
struct device_facts {
	bool present;
	bool declared;
	char name[FACT_NAME_MAX];  /* kernel name: "sda1" */
	u32 logical_bytes;	   /* logical sector size, 0 unknown */
	u32 physical_bytes;	   /* 0 unknown */
	u64 optimal_io_bytes;	   /* 0 none given */
	u64 minimum_io_bytes;	   /* 0 none given */
	/*
	 * max_sectors_kb in bytes, 0 unknown. Over VDUSE it is that of the
	 * VDUSE device, which splits what comes from above.
	 */
	u64 max_io_bytes;
	u64 atomic_min_bytes;	   /* atomic write unit, 0 none */
	u64 atomic_max_bytes;	   /* 0 none */
	struct fact dax;
	bool zoned;		   /* host-aware or host-managed */
	/* "dm-0 on sda2 on sda", "" for a plain disk or partition. */
	char stack[FACT_NAME_MAX];
	bool vduse;
	u64 vduse_bounce_bytes;	   /* 0 unknown or not VDUSE */
	char vduse_bounce_path[256]; /* sysfs file that sets it */
	char max_io_path[256];	   /* sysfs file that sets max_io_bytes */
};

struct facts {
	struct kernel_facts kernel;
	struct device_facts device;
};

/* "yes", "no", "unknown" */
const char *tri_text(enum tri value);
errcode_t tri_parse(const char *text, enum tri *value) LB_MUST_CHECK;
/* Sets both members; the reason is a printf format. */
void fact_set(struct fact *f, enum tri value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Nothing known: every fact unknown, no device. */
void facts_init(struct facts *f);
/*
 * Whether /sys/fs/ext4/features of this kernel has the name. The list of a
 * declared kernel is empty, which says nothing: ask k->declared first.
 */
bool facts_has_feature(const struct kernel_facts *k, const char *name);

/* The caller frees the value; NULL when out of memory. */
json_t *facts_to_json(const struct facts *f);
/* {"value": "yes", "why": "..."}; the caller frees it. */
json_t *fact_to_json(const struct fact *f);
/* The names as a list of texts; the caller frees it. */
json_t *facts_features_to_json(const struct kernel_facts *k);
/*
 * Members that are absent stay unknown; the version is read from the release.
 * Errors: LB_E_JSON_TYPE, LB_E_FACT_VALUE.
 */
errcode_t facts_from_json(json_t *value, struct facts *f) LB_MUST_CHECK;

#endif
