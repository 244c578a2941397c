// bench-lines.cc - a C++ program that is in inlined functions of inlined functions most of its time: what "bench" names lines of.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

using Words = std::vector<std::string>;

static Words make_words(unsigned seed, int count)
{
	Words words;

	for (int i = 0; i < count; i++) {
		std::ostringstream text;

		seed = seed * 1103515245 + 12345;
		text << "key" << (seed >> 16) % 1000 << ":" << std::hex << seed << ";"
		     << (seed & 1 ? "aab" : "abb");
		words.push_back(text.str());
	}
	return words;
}

static size_t match(const Words &words)
{
	static const std::regex pattern("key([0-9]+):([0-9a-f]+);(a+)(b+)");
	size_t sum = 0;

	for (const auto &word : words) {
		std::smatch found;

		if (std::regex_match(word, found, pattern))
			sum += std::stoul(found[1].str()) + found[3].length();
	}
	return sum;
}

static size_t group(const Words &words)
{
	std::map<std::string, std::vector<int>> tree;
	std::unordered_map<std::string, std::set<int>> table;
	size_t sum = 0;

	for (size_t i = 0; i < words.size(); i++) {
		tree[words[i].substr(0, 6)].push_back(static_cast<int>(i));
		table[words[i].substr(2, 5)].insert(static_cast<int>(i * 7919 % 1001));
	}
	for (auto &[key, numbers] : tree) {
		std::sort(numbers.begin(), numbers.end(), [](int a, int b) {
			return a % 97 != b % 97 ? a % 97 < b % 97 : a < b;
		});
		sum += std::accumulate(numbers.begin(), numbers.end(), key.size());
	}
	for (auto &[key, numbers] : table)
		sum += numbers.size() * key.size();
	return sum;
}

static size_t order(Words words)
{
	std::stable_sort(words.begin(), words.end(), std::greater<>());
	auto end = std::unique(words.begin(), words.end());

	std::transform(words.begin(), end, words.begin(), [](std::string word) {
		std::reverse(word.begin(), word.end());
		return word;
	});
	std::make_heap(words.begin(), end);
	std::sort_heap(words.begin(), end);

	std::function<size_t(size_t, size_t)> fold = [&](size_t low, size_t high) -> size_t {
		size_t middle = (low + high) / 2;

		return high - low < 2 ? words[low].size() : fold(low, middle) + fold(middle, high);
	};
	return fold(0, static_cast<size_t>(end - words.begin()));
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 400;
	size_t sum = 0;

	for (int i = 0; i < rounds; i++) {
		auto words = make_words(static_cast<unsigned>(i), 2000);

		sum += match(words) + group(words) + order(words);
	}
	printf("%zu\n", sum);
}
