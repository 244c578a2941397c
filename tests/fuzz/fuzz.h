/*
 * fuzz.h - what a fuzz target is: libFuzzer's entry point, and nothing more.
 *
 * With -Dfuzz=true (clang) it is linked with libFuzzer; else with replay.c, which feeds it the
 * corpus.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
