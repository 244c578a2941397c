/*
 * bpf-records.h - BPF programs that are loaded, in the two ways that a recording speaks of them: as
 * records of the names of their code, and as header features.
 */
#pragma once

struct body_out;
struct bpf_programs;
struct recordbuf;

/* KSYMBOL and BPF_EVENT, as if each were being loaded. */
void bpf_records_add(const struct bpf_programs *programs, struct recordbuf *buf);

/* The bodies of BPF_PROG_INFO and BPF_BTF. */
void bpf_records_info(const struct bpf_programs *programs, struct body_out *out);
void bpf_records_types(const struct bpf_programs *programs, struct body_out *out);
