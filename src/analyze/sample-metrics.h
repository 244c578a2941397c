/*
 * sample-metrics.h - what the counts of a group say of the time between two of its leader's
 * samples, each of which reads them all (record -e '{cycles,instructions}:S'): instructions per
 * cycle, and what else stat knows (stat-metric.h).
 */
#pragma once

struct events;
struct profile_sample;
struct sample_metrics;
struct stat_table;

/* @names: of the events, by index; all is borrowed. */
struct sample_metrics *sample_metrics_new(const struct events *events, const char *const *names);
void sample_metrics_free(struct sample_metrics *metrics);

/*
 * Takes what one sample says of one event; samples come in order of time, those of a reading one
 * after another. With the last of them the rows of the group's events, each with its metrics, some
 * of which may not be known; else NULL. Borrowed until the next call.
 */
const struct stat_table *sample_metrics_take(struct sample_metrics *metrics,
					     const struct profile_sample *sample);
