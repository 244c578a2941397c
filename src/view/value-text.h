/* value-text.h - values of a sample as script prints them, that are more than a number. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sample_regs;
struct str;

/* " ABI:2    AX:0x1 ": @arch as uname -m has it, "" if unknown. */
void value_text_registers(const char *arch, const struct sample_regs *regs, struct str *out);
/* " 4K" */
void value_text_page_size(uint64_t size, struct str *out);
/* What a BPF program wrote: sixteen bytes to a line, in hex and as text, below the sample's own. */
void value_text_bytes(const void *raw, size_t size, struct str *out);
/* What an access to memory met, as wide as the widest so far: *width. */
void value_text_data_src(uint64_t data_src, size_t *width, struct str *out);
