/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers our error table with com_err, so every code has a text. */
#include "base/err.h"

void err_init(void)
{
	initialize_lbp_error_table();
}
