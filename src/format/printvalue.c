/* printvalue.c - see printvalue.h. */
#include "format/printvalue.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "format/printexpr.h"
#include "format/printks.h"

static uint64_t read_number(const struct printvalue_record *record, const uint8_t *bytes,
			    size_t size)
{
	return tracefields_number(record->fields, bytes, size);
}

/* To walk over. */
static bool field_bytes(const struct tracefield *field, const struct printvalue_record *record,
			struct tracefields_bytes *ret_bytes)
{
	if (!tracefields_bytes(record->fields, field, &record->bytes, ret_bytes))
		return false;
	*record->walked += ret_bytes->size;
	return true;
}

static const struct tracefield *array_field(const struct printexpr *expr)
{
	expr = printexpr_uncast(expr);
	return expr->kind == PRINTEXPR_FIELD || expr->kind == PRINTEXPR_ARRAY ? expr->field : NULL;
}

bool printvalue_bytes(const struct printexpr *expr, const struct printvalue_record *record,
		      struct tracefields_bytes *ret_bytes)
{
	const struct tracefield *field = array_field(expr);

	return field && field_bytes(field, record, ret_bytes);
}

/* Of a field that is no number (an array) it is 0; of a dynamic one, the number that lies there. */
static uint64_t field_number(const struct tracefield *field, const struct printvalue_record *record)
{
	if (field->offset > record->bytes.size || field->size > record->bytes.size - field->offset)
		return 0;
	return read_number(record, (const uint8_t *)record->bytes.raw + field->offset, field->size);
}

static uint64_t cast_number(const struct printexpr *expr, uint64_t value)
{
	if (expr->cast_size == 0 || expr->cast_size >= sizeof(value))
		return value;
	return value & ((UINT64_C(1) << (8 * expr->cast_size)) - 1);
}

/* NOLINTNEXTLINE(misc-no-recursion): PRINTEXPR_DEPTH deep at most */
static uint64_t element_number(const struct printexpr *expr, const struct printvalue_record *record)
{
	const struct printexpr *array = printexpr_uncast(expr->left);
	uint64_t index = printvalue_number(expr->right, record);
	unsigned size = array->field->element;
	struct tracefields_bytes bytes;

	if (expr->left->kind == PRINTEXPR_CAST && expr->left->target_size)
		size = expr->left->target_size;
	if (size == 0 || !tracefields_bytes(record->fields, array->field, &record->bytes, &bytes) ||
	    index >= bytes.size / size)
		return 0;
	return read_number(record, bytes.bytes + index * size, size);
}

/* As processors shift: by the low bits of the number. */
static uint64_t shifted(uint64_t value, uint64_t by, bool left)
{
	return left ? value << (by & 63) : value >> (by & 63);
}

static uint64_t compared(const char *op, uint64_t left, uint64_t right)
{
	bool or_equal = op[1] == '=';

	if (op[0] == '<')
		return left < right || (or_equal && left == right);
	return left > right || (or_equal && left == right);
}

static uint64_t combined(const char *op, uint64_t left, uint64_t right)
{
	bool doubled = op[1] == op[0];

	switch (op[0]) {
	case '+':
		return left + right;
	case '-':
		return left - right;
	case '*':
		return left * right;
	case '/':
		return right ? left / right : 0;
	case '%':
		return right ? left % right : 0;
	case '&':
		return doubled ? left && right : left & right;
	case '|':
		return doubled ? left || right : left | right;
	case '^':
		return left ^ right;
	case '=':
		return left == right;
	case '!':
		return left != right;
	default:
		return doubled ? shifted(left, right, op[0] == '<') : compared(op, left, right);
	}
}

/* NOLINTNEXTLINE(misc-no-recursion): PRINTEXPR_DEPTH deep at most */
uint64_t printvalue_number(const struct printexpr *expr, const struct printvalue_record *record)
{
	struct tracefields_bytes bytes;

	switch (expr->kind) {
	case PRINTEXPR_NUMBER:
	case PRINTEXPR_CONSTANT:
		return expr->number;
	case PRINTEXPR_FIELD:
		return field_number(expr->field, record);
	case PRINTEXPR_ARRAY_LENGTH:
		return tracefields_bytes(record->fields, expr->field, &record->bytes, &bytes)
			       ? bytes.size
			       : 0;
	case PRINTEXPR_CAST:
		return cast_number(expr, printvalue_number(expr->left, record));
	case PRINTEXPR_NEGATE:
		return -printvalue_number(expr->left, record);
	case PRINTEXPR_NOT:
		return !printvalue_number(expr->left, record);
	case PRINTEXPR_INVERT:
		return ~printvalue_number(expr->left, record);
	case PRINTEXPR_INDEX:
		return element_number(expr, record);
	case PRINTEXPR_BINARY:
		return combined(expr->op, printvalue_number(expr->left, record),
				printvalue_number(expr->right, record));
	case PRINTEXPR_CHOICE:
		return printvalue_number(expr->left, record)
			       ? printvalue_number(expr->right, record)
			       : printvalue_number(expr->third, record);
	default:
		return 0;
	}
}

static void flags_text(const struct printexpr *expr, const struct printvalue_record *record,
		       struct str *text)
{
	uint64_t rest = printvalue_number(expr->left, record);
	size_t begin = text->size;

	for (const struct printexpr_value *v = expr->values; v && v->text; v = v->next) {
		uint64_t bits = printvalue_number(v->number, record);

		if (v->number->is_unknown || bits == 0 || bits > INT64_MAX || (rest & bits) != bits)
			continue;
		str_add(text, text->size > begin ? expr->text : "");
		str_add(text, v->text);
		rest &= ~bits;
	}
	if (rest)
		str_addf(text, "%s0x%" PRIx64, text->size > begin ? expr->text : "", rest);
}

static void symbolic_text(const struct printexpr *expr, const struct printvalue_record *record,
			  struct str *text)
{
	uint64_t value = printvalue_number(expr->left, record);

	for (const struct printexpr_value *v = expr->values; v && v->text; v = v->next) {
		if (!v->number->is_unknown && printvalue_number(v->number, record) == value) {
			str_add(text, v->text);
			return;
		}
	}
	str_addf(text, "0x%" PRIx64, value);
}

/* At most @wanted bytes of the array. */
static struct tracefields_bytes array_bytes(const struct printexpr *array, uint64_t wanted,
					    const struct printvalue_record *record)
{
	struct tracefields_bytes bytes;

	if (!printvalue_bytes(array, record, &bytes))
		return (struct tracefields_bytes){ 0 };
	if (bytes.size > wanted)
		bytes.size = (size_t)wanted;
	return bytes;
}

static void hex_text(const struct printexpr *expr, const struct printvalue_record *record,
		     struct str *text)
{
	const struct tracefields_bytes bytes =
		array_bytes(expr->left, printvalue_number(expr->right, record), record);

	for (size_t i = 0; i < bytes.size; i++) {
		if (i && expr->kind == PRINTEXPR_HEX)
			str_add_char(text, ' ');
		str_add_hex(text, bytes.bytes + i, 1);
	}
}

static void numbers_text(const struct printexpr *expr, const struct printvalue_record *record,
			 struct str *text)
{
	const struct tracefields_bytes bytes = array_bytes(expr->left, UINT64_MAX, record);
	uint64_t count = printvalue_number(expr->right, record);
	uint64_t size = printvalue_number(expr->third, record);

	str_add_char(text, '{');
	for (uint64_t i = 0; size && size <= 8 && i < count && i < bytes.size / size; i++)
		str_addf(text, "%s0x%" PRIx64, i ? "," : "",
			 read_number(record, bytes.bytes + i * size, (size_t)size));
	str_add_char(text, '}');
}

static bool is_big_endian(const struct tracefields *fields)
{
	return fields->foreign != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Whether bit @i of a mask is set: it is an array of the recorder's longs. */
static bool has_bit(struct tracefields_bytes mask, const struct printvalue_record *record, size_t i)
{
	size_t byte = i / 8, size = record->fields->long_size;

	if (is_big_endian(record->fields) && size)
		byte = byte / size * size + size - 1 - byte % size;
	return byte < mask.size && mask.bytes[byte] >> i % 8 & 1;
}

void printvalue_bits(struct tracefields_bytes mask, const struct printvalue_record *record,
		     struct str *text)
{
	size_t begin = text->size, count = mask.size * 8;

	for (size_t i = 0; i < count; i++) {
		size_t first = i;

		if (!has_bit(mask, record, i))
			continue;
		while (i + 1 < count && has_bit(mask, record, i + 1))
			i++;
		str_addf(text, "%s%zu", text->size > begin ? "," : "", first);
		if (i > first)
			str_addf(text, "-%zu", i);
	}
}

/* Hexadecimal, the highest bit first, with a comma every 32 bits. */
static void mask_text(struct tracefields_bytes mask, const struct printvalue_record *record,
		      struct str *text)
{
	for (size_t byte = mask.size; byte-- > 0;) {
		unsigned value = 0;

		for (size_t bit = 0; bit < 8; bit++)
			value |= (unsigned)has_bit(mask, record, byte * 8 + bit) << bit;
		str_addf(text, "%02x%s", value, byte && byte % 4 == 0 ? "," : "");
	}
}

static void add_text(struct str *text, struct tracefields_bytes bytes)
{
	str_add_bytes(text, bytes.bytes, strnlen((const char *)bytes.bytes, bytes.size));
}

/* A number as large as a pointer is one: to a text that the recording may have. */
static void field_text(const struct printexpr *expr, const struct printvalue_record *record,
		       struct str *text)
{
	const struct tracefield *field = expr->field;
	struct tracefields_bytes bytes;

	if (!field->is_array && field->size == record->fields->long_size) {
		uint64_t addr = field_number(field, record);
		const char *pointed = printks_find(record->printks, addr);
		size_t begin = text->size;

		if (pointed)
			str_add(text, pointed);
		else
			str_addf(text, "%" PRIx64, addr);
		*record->walked += text->size - begin;
		return;
	}
	if (field_bytes(field, record, &bytes))
		add_text(text, bytes);
}

static void dynamic_text(const struct printexpr *expr, const struct printvalue_record *record,
			 struct str *text)
{
	struct tracefields_bytes bytes;

	if (!field_bytes(expr->field, record, &bytes))
		return;
	if (expr->kind == PRINTEXPR_STRING)
		add_text(text, bytes);
	else if (expr->kind == PRINTEXPR_BITMASK)
		mask_text(bytes, record, text);
	else
		printvalue_bits(bytes, record, text);
}

/* NOLINTNEXTLINE(misc-no-recursion): PRINTEXPR_DEPTH deep at most */
void printvalue_text(const struct printexpr *expr, const struct printvalue_record *record,
		     struct str *text)
{
	switch (expr->kind) {
	case PRINTEXPR_TEXT:
	case PRINTEXPR_NUMBER:
	case PRINTEXPR_CONSTANT:
		str_add(text, expr->text);
		break;
	case PRINTEXPR_FIELD:
		field_text(expr, record, text);
		break;
	case PRINTEXPR_STRING:
	case PRINTEXPR_BITMASK:
	case PRINTEXPR_CPUMASK:
		dynamic_text(expr, record, text);
		break;
	case PRINTEXPR_FLAGS:
		flags_text(expr, record, text);
		break;
	case PRINTEXPR_SYMBOLIC:
		symbolic_text(expr, record, text);
		break;
	case PRINTEXPR_HEX:
	case PRINTEXPR_HEX_STR:
		hex_text(expr, record, text);
		break;
	case PRINTEXPR_NUMBERS:
		numbers_text(expr, record, text);
		break;
	case PRINTEXPR_CHOICE:
		printvalue_text(printvalue_number(expr->left, record) ? expr->right : expr->third,
				record, text);
		break;
	default:
		break;
	}
}
