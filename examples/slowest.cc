// slowest.cc - which of many calls was the slowest: one counter, read before and after each by the quickest way.
//
//	c++ slowest.cc $(pkg-config --cflags --libs libstrobe) && ./a.out
#include <cstdint>
#include <cstdio>
#include <map>
#include <strobe/counter.h>

namespace
{
// Ends with its scope.
class Counter
{
      public:
	explicit Counter(const char *events)
	{
		strobe_counter_options options = {};

		options.size = sizeof(options);
		options.events = events;
		if (strobe_counter_open(&options, &counter, &error) == 0)
			strobe_counter_start(counter, &error);
	}
	Counter(const Counter &) = delete;
	Counter &operator=(const Counter &) = delete;
	~Counter()
	{
		strobe_counter_close(counter);
	}
	bool opened() const
	{
		return counter != nullptr;
	}
	const char *name() const
	{
		return strobe_counter_name(counter, 0);
	}
	std::uint64_t value() const
	{
		std::uint64_t value = 0;

		strobe_counter_value(counter, 0, &value);
		return value;
	}
	strobe_err error = {};

      private:
	strobe_counter *counter = nullptr;
};

int measure(const Counter &counter)
{
	std::map<unsigned, unsigned> numbers;
	std::uint64_t most = 0;
	unsigned slowest = 0;

	for (unsigned i = 0; i < 1000; i++) {
		std::uint64_t before = counter.value();
		std::uint64_t cost;

		numbers[i * 2654435761u] = i;
		cost = counter.value() - before;
		if (cost > most) {
			most = cost;
			slowest = i;
		}
	}
	std::printf("insertion %u took most: %llu %s\n", slowest,
		    static_cast<unsigned long long>(most), counter.name());
	return 0;
}
} // namespace

int main()
{
	const Counter cycles("cycles:u");

	if (cycles.opened())
		return measure(cycles);
	std::fprintf(stderr, "%s: the clock it is\n", cycles.error.text);
	const Counter clock("task-clock");

	if (clock.opened())
		return measure(clock);
	std::fprintf(stderr, "%s\n%s\n", clock.error.text, clock.error.hint);
	return 1;
}
