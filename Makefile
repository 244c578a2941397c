# Meson builds strobe; these are the short names of what one does with it.
PREFIX ?= /usr/local
RELEASE = build/release

# All layers are optimised together, which takes 5 % off the time of a report. Clang would need a linker of its own for that.
LTO = $(if $(findstring clang,$(CC)),false,true)

GUEST = build/guest

.PHONY: all check check-guest fuzz demo install uninstall bench format clean

all: $(RELEASE)/build.ninja
	ninja -C $(RELEASE)

$(RELEASE)/build.ninja:
	meson setup --prefix '$(PREFIX)' --buildtype release -Db_lto=$(LTO) -Dtests=disabled $(RELEASE)

# Where packages are missing and may not be installed, Meson says which it cannot do without.
check:
	tools/install-packages build check || true
	ci/check

# Strobe on hardware counters, in a virtual machine; part of check where the packages are there.
check-guest: all
	tests/guest/build $(GUEST)
	STROBE_GUEST='$(abspath $(GUEST))' BUILD_ROOT='$(abspath $(RELEASE))' PYTHONPATH=tests/lib python3 tests/cli/test-guest.py

# Minutes to hours: FUZZ_SECONDS for each target.
FUZZ_SECONDS ?= 60
fuzz:
	tools/fuzz $(FUZZ_SECONDS)

demo:
	tools/demo

install: all
	meson configure --prefix '$(PREFIX)' $(RELEASE)
	meson install -C $(RELEASE)

# What the last install from here put there.
uninstall:
	ninja -C $(RELEASE) uninstall

bench: all
	tools/bench $(RELEASE)/src/cmd/strobe

format:
	clang-format -i $$(git ls-files '*.[ch]')

clean:
	rm -rf build
