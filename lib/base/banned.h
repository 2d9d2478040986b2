/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that cannot be used safely on untrusted bytes do not compile. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat strtok sprintf vsprintf atoi atol gets

#endif
