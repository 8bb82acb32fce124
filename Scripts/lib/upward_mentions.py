#!/usr/bin/env python3
"""Checks that the folders of one Swift target form layers.

    upward_mentions.py Sources/CairnStorage Foundations,Files,Chunks,...

The second argument names the folders from the bottom layer to the top one. A file may mention the
top-level types that its own folder or a lower one declares. Each mention of a type that only a
higher folder declares is printed as

    FILE:LINE: LAYER mentions NAME, which belongs to HIGHER LAYER

and the exit status is 1. Comments and string literals are not read. A type name that two layers
declare is not checked. Only names are compared, so a call to a higher layer's free function or
extension method goes unseen: declare behaviour on types.
"""
import os
import re
import sys

DECLARATION = re.compile(
    r"^(?:@[\w()\., :\"]+\s+)*"
    r"(?:(?:public|open|package|internal|final|indirect|nonisolated)\s+)*"
    r"(?:class|struct|enum|protocol|actor|typealias)\s+([A-Z_]\w*)"
)


def without_comments_and_strings(source):
    """The source with comments and string literals blanked, its line numbers kept."""
    blank = lambda match: "\n" * match.group(0).count("\n")
    source = re.sub(r'"""(.|\n)*?"""', blank, source)
    source = re.sub(r"/\*(.|\n)*?\*/", blank, source)
    source = re.sub(r'"(\\.|[^"\\\n])*"', '""', source)
    return re.sub(r"//[^\n]*", "", source)


def main(root, layers):
    files, owner, ambiguous = [], {}, set()
    for rank, layer in enumerate(layers):
        for folder, _, names in os.walk(os.path.join(root, layer)):
            for name in sorted(names):
                if not name.endswith(".swift"):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    lines = without_comments_and_strings(file.read()).split("\n")
                files.append((rank, path, lines))
                for line in lines:
                    match = DECLARATION.match(line)
                    if match and owner.setdefault(match.group(1), rank) != rank:
                        ambiguous.add(match.group(1))

    found = 0
    for rank, path, lines in files:
        for number, line in enumerate(lines, 1):
            for name in re.findall(r"\b[A-Z_]\w*\b", line):
                if name not in ambiguous and owner.get(name, rank) > rank:
                    found += 1
                    print(f"{path}:{number}: {layers[rank]} mentions {name}, "
                          f"which belongs to {layers[owner[name]]}")
    print(f"{len(files)} files, {len(owner)} types, {found} upward mentions")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2].split(",")))
