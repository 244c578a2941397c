/* calltables.h - what the build makes of calls/ and the system's headers. */
#pragma once

#include "format/callnames.h"
#include "format/callspec.h"

struct callnumbers {
	const uint16_t *specs; /* by number: the place of its callspec and one, or 0 */
	size_t count;
};
extern const struct callnumbers calltables_numbers[CALLABI_COUNT];
extern const struct callspec calltables_specs[];
extern const size_t calltables_spec_count;

/* Tables of names that differ from machine to machine: who has another; the last has NULL. */
struct callnames_variant {
	const struct callnames *usual;
	enum callabi abi;
	const struct callnames *other;
};
extern const struct callnames_variant calltables_variants[];

/* Structs whose use the value of another argument tells. */
extern const struct calllayout calltables_layout_flock, calltables_layout_flock64,
	calltables_layout_linger, calltables_layout_owner_ex, calltables_layout_timeval,
	calltables_layout_timeval64, calltables_layout_ucred;

/* Those that more than arguments are made of. */
extern const struct callnames calltables_errno, calltables_family, calltables_signal,
	calltables_sol, calltables_so_socket, calltables_so_ip, calltables_so_ipv6,
	calltables_so_tcp, calltables_so_netlink, calltables_netlink, calltables_ipproto,
	calltables_open, calltables_fd_flags, calltables_lock_type, calltables_seal;
