"""Documents in which a marker line, an HTML comment, is followed by a ``` block that a script fills."""


class Mistake(Exception):
    """Why a block cannot be filled."""


def blocks(text, marker):
    """Yields the blocks below the lines that the regular expression |marker| matches: the match, the number of the line
    behind it and that of the closing ```; None in its place if no block follows. Lines count from 0."""
    lines, i = text.splitlines(), 0
    while i < len(lines):
        found = marker.match(lines[i])
        i += 1
        if found:
            begins = i < len(lines) and lines[i].startswith("```")
            end = next((j for j in range(i + 1, len(lines)) if lines[j] == "```"), None) if begins else None
            yield found, i, end
            i = i if end is None else end + 1


def refresh(text, marker, fill):
    """Returns the text with fresh blocks, and the mistakes as pairs of line number and reason.

    |fill| gets the first group of each match and returns the lines of its block. A block for which it raises Mistake stays
    as it is.
    """
    lines, out, mistakes, done = text.splitlines(), [], [], 0
    for found, begin, end in blocks(text, marker):
        try:
            if end is None:
                raise Mistake("no ``` block follows the marker")
            fresh = fill(found.group(1))
            out += lines[done:begin + 1] + fresh
            done = end
        except Mistake as mistake:
            mistakes.append((begin, mistake))
    return "\n".join(out + lines[done:]) + "\n", mistakes
