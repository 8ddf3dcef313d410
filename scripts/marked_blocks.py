"""Documents in which a marker line, an HTML comment, is followed by a ``` block that a script fills."""


class Mistake(Exception):
    """Why a block cannot be filled."""


def refresh(text, marker, fill):
    """Returns the text with fresh blocks, and the mistakes as pairs of line number and reason.

    Where the regular expression |marker| matches a line, |fill| gets its first group and returns the lines of the block
    below. A block for which it raises Mistake stays as it is.
    """
    lines, out, mistakes, i = text.splitlines(), [], [], 0
    while i < len(lines):
        out.append(lines[i])
        found = marker.match(lines[i])
        i += 1
        if not found:
            continue
        end = next((j for j in range(i + 1, len(lines)) if lines[j] == "```"), None)
        try:
            if i >= len(lines) or not lines[i].startswith("```") or end is None:
                raise Mistake("no ``` block follows the marker")
            out += [lines[i], *fill(found.group(1)), "```"]
            i = end + 1
        except Mistake as mistake:
            mistakes.append((i, mistake))
    return "\n".join(out) + "\n", mistakes
