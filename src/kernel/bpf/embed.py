#!/usr/bin/env python3
"""Makes C of a file, so that it is part of the program: embed.py INPUT OUTPUT NAME."""
import sys


def main(source, output, name):
    with open(source, "rb") as file:
        content = file.read()
    lines = [", ".join("%d" % byte for byte in content[at:at + 32]) for at in range(0, len(content), 32)]
    with open(output, "w", encoding="utf-8") as file:
        file.write("/* Made by embed.py: do not change. */\n#include <stddef.h>\n\n")
        file.write("extern const unsigned char %s[];\nextern const size_t %s_size;\n" % (name, name))
        file.write("const unsigned char %s[] __attribute__((aligned(8))) = {\n%s\n};\n" % (name, ",\n".join(lines)))
        file.write("const size_t %s_size = sizeof(%s);\n" % (name, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
