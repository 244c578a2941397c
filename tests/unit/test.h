/* test.h - what every unit test includes before its own headers: cmocka, and what cmocka wants. */
#pragma once

#include <setjmp.h> /* IWYU pragma: keep */
#include <stdarg.h> /* IWYU pragma: keep */
#include <stddef.h> /* IWYU pragma: keep */
#include <stdint.h> /* IWYU pragma: keep */
#include <string.h>

#include <cmocka.h>
