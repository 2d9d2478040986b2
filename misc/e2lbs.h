/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of e2lbs. Each takes argv from its own name on, and returns the
 * exit status (enum e2lbs_exit). */
#ifndef MISC_E2LBS_H
#define MISC_E2LBS_H

int e2lbs_kernel(int argc, char **argv);
int e2lbs_check(int argc, char **argv);

#endif
