/*
 * debuginfo-advice.h - what helps where an object lacks names, lines or frames.
 */
#pragma once

struct advice;
struct findings;

void debuginfo_advice_add(struct advice *advice, const struct findings *findings);
