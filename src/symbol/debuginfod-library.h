/*
 * debuginfod-library.h - libdebuginfod's client, loaded when it is wanted:
 * debuginfod_find_debuginfo(3).
 */
#pragma once

struct debuginfod_client;

typedef int debuginfod_library_find(struct debuginfod_client *client, const unsigned char *build_id,
				    int build_id_size, char **ret_path);
typedef int debuginfod_library_progress(struct debuginfod_client *client, long got, long whole);

struct debuginfod_library {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	/* A descriptor of the file, and its path, which is the caller's; or -errno. */
	debuginfod_library_find *find_executable, *find_debuginfo;
	/* Is called again and again while a file is waited for, by the thread that does; not 0: it
	 * is not wanted any more. */
	void (*set_progress)(struct debuginfod_client *client,
			     debuginfod_library_progress *progress);
};

/* -ENOENT if the library is not installed, -ENOSYS if it is too old. It stays loaded. */
int debuginfod_library_load(struct debuginfod_library *ret_library);
