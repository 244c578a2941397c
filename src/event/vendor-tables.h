/* vendor-tables.h - what tables/generate.py makes of the files beside it, for vendor.c alone. */
#pragma once

#include "event/vendor.h"

extern const struct vendor vendor_tables[];
extern const size_t vendor_tables_count;
