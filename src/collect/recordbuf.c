/* recordbuf.c - see recordbuf.h. */
#include "collect/recordbuf.h"

#include <linux/perf_event.h>
#include <string.h>

#include "data/writer.h"

void recordbuf_begin(struct recordbuf *buf, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { .type = type, .misc = misc };

	buf->start = buf->bytes.size;
	recordbuf_bytes(buf, &header, sizeof(header));
}

void recordbuf_bytes(struct recordbuf *buf, const void *bytes, size_t size)
{
	str_add_bytes(&buf->bytes, bytes, size);
}

void recordbuf_u16(struct recordbuf *buf, uint16_t value)
{
	recordbuf_bytes(buf, &value, sizeof(value));
}

void recordbuf_u32(struct recordbuf *buf, uint32_t value)
{
	recordbuf_bytes(buf, &value, sizeof(value));
}

void recordbuf_u64(struct recordbuf *buf, uint64_t value)
{
	recordbuf_bytes(buf, &value, sizeof(value));
}

static void pad(struct recordbuf *buf)
{
	str_add_repeat(&buf->bytes, '\0', (0 - (buf->bytes.size - buf->start)) & 7);
}

void recordbuf_string(struct recordbuf *buf, const char *text)
{
	recordbuf_bytes(buf, text, strlen(text) + 1);
	pad(buf);
}

void recordbuf_end(struct recordbuf *buf)
{
	struct perf_event_header header;
	size_t size;

	pad(buf);
	size = buf->bytes.size - buf->start;
	if (size > UINT16_MAX) {
		str_cut(&buf->bytes, buf->start);
		return;
	}
	memcpy(&header, buf->bytes.text + buf->start, sizeof(header));
	header.size = (uint16_t)size;
	memcpy(buf->bytes.text + buf->start, &header, sizeof(header));
}

void recordbuf_end_sideband(struct recordbuf *buf)
{
	str_add_repeat(&buf->bytes, '\0', buf->trailer_size);
	recordbuf_end(buf);
}

int recordbuf_flush(struct recordbuf *buf, struct writer *writer, struct strobe_err *err)
{
	struct iovec span = { buf->bytes.text, buf->bytes.size };
	int r = span.iov_len ? writer_records(writer, &span, 1, err) : 0;

	str_clear(&buf->bytes);
	return r;
}

void recordbuf_done(struct recordbuf *buf)
{
	str_done(&buf->bytes);
}
