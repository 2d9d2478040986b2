/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to a person. Without a terminal nobody is asked. */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include "base/types.h"

/* Whether stdin and stderr are terminals. */
bool ask_is_possible(void);
/*
 * Prints the question with " (y/N) " to stderr and reads one line. True only
 * for an answer that starts with y; false without a terminal.
 */
bool ask_yes(const char *question);

#endif
