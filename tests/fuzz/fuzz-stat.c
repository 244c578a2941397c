/* fuzz-stat.c - any bytes as a recording of counts, shown in every way. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/stat-file.h"
#include "analyze/stat.h"
#include "base/str.h"
#include "data/countset.h"
#include "data/datafile.h"
#include "fuzz.h"
#include "view/stat-csv.h"
#include "view/stat-text.h"

static int show(void *context, const struct countset *counts, uint64_t time_ns, bool is_final)
{
	struct stat *stat = context;
	const struct stat_table *table;
	const struct stat_text text = { .what = "x", .run_count = 1, .thousands = "," };
	const struct stat_lines lines = { .separator = ",", .run_count = 1 };
	struct str out = { 0 };

	stat_add(stat, counts, time_ns);
	table = stat_rows(stat);
	stat_text_begin(&out, &text, table);
	stat_text_rows(&out, &text, table);
	stat_text_end(&out, &text, table, stat_wall(stat));
	stat_csv_rows(&out, &lines, table);
	stat_lines_json(&out, &lines, table);
	str_done(&out);
	return 0;
}

static void show_by(struct datafile *file, int by)
{
	struct stat_file stat_file;
	struct stat *stat;

	if (stat_file_init(&stat_file, file, CPU_PLACES_LAST_LEVEL, NULL) < 0)
		return;
	if (by >= 0)
		stat_file.setup.by = (enum stat_by)by;
	stat = stat_new(&stat_file.setup);
	(void)stat_file_walk(&stat_file, show, stat);
	stat_free(stat);
	stat_file_done(&stat_file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct datafile *file;

	if (fd < 0)
		abort();
	if (write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0 &&
	    datafile_open_fd(fd, "fuzz", &file, NULL) == 0) {
		for (int by = -1; by <= STAT_BY_THREAD; by++)
			show_by(file, by);
		datafile_close(file);
	}
	(void)close(fd);
	return 0;
}
