"""The table that scripts/bench-power8.py prints: the guide's measurements beside the model's cycles of our kernels."""
import collections
import pathlib

from model import REAL_OVER_MODEL

GUIDE = pathlib.Path(__file__).with_name("guide.tsv")
PEERS = pathlib.Path(__file__).with_name("peers.tsv")
CLOCK_HZ = 3.4e9  # of the guide's machine
MIB = 1 << 20
COLUMNS = ("standard", "builtins", "assembly")

# Of the guide's table, and what else the library has for POWER8; cycles per byte that we want to stay below, on
# little-endian by GCC.
Row = collections.namedtuple("Row", ["algorithm", "operation", "goal"])
ROWS = (
    Row("AES/ECB", "aes-128-ecb-encrypt", 0.75),
    Row("AES/CTR", "aes-128-ctr", 0.80),
    Row("AES/GCM", "aes-128-gcm", 1.4),
    Row("SHA-1", "sha1", None),
    Row("SHA-256", "sha256", 10.3),
    Row("SHA-512", "sha512", 6.5),
)
MORE_ROWS = (
    Row("AES-128/ECB, decrypt", "aes-128-ecb-decrypt", None),
    Row("AES-128/CBC, encrypt", "aes-128-cbc-encrypt", None),
    Row("AES-128/CBC, decrypt", "aes-128-cbc-decrypt", None),
    Row("AES-128/CFB, encrypt", "aes-128-cfb-encrypt", None),
    Row("AES-128/CFB, decrypt", "aes-128-cfb-decrypt", None),
    Row("AES-128/OFB", "aes-128-ofb", None),
    Row("AES-256/CTR", "aes-256-ctr", None),
    Row("AES-128/XTS, encrypt", "aes-128-xts-encrypt", None),
    Row("AES-128/XTS, decrypt", "aes-128-xts-decrypt", None),
    Row("GHASH", "ghash", None),
    Row("CRC-32", "crc32", None),
    Row("CRC-32C", "crc32c", 0.10),
)


def read_rows(file):
    """The rows of a table with a header line, as {column: text}."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"))) for line in lines[1:]]


def read_guide(file=GUIDE):
    """{algorithm: {column: text}}, such as ["AES/CTR"]["builtins_cpb"]."""
    return {fields["algorithm"]: fields for fields in read_rows(file)}


def measured_over_model(peer):
    """How far the model was off for a row of peers.tsv; None where nothing is published."""
    measured = number(peer["measured"])
    return measured and measured / number(peer["model"])


def mib_per_second(cycles_per_byte):
    return CLOCK_HZ / cycles_per_byte / MIB


def rounded(value):
    """Three digits, as the guide has them."""
    return f"{value:.{3 if value < 0.1 else 2 if value < 10 else 1 if value < 100 else 0}f}"


def number(text):
    return None if text in ("-", "N/A") else float(text)


def guide_ratio(fields):
    """How much faster the built-ins are than standard C++; None where there are none."""
    speeds = [number(fields[f"{column}_mibs"]) for column in ("builtins", "standard")]
    return speeds[0] / speeds[1] if all(speeds) else None


def cycles(build, operation, kernel):
    found = build["kernels"].get(operation, {}).get(kernel)
    return found and found["model_cycles_per_byte"]


def model_ratio(build, operation):
    ours, portable = cycles(build, operation, "power8"), cycles(build, operation, "portable")
    return portable / ours if ours and portable else None


def name_of(build):
    return f"model, {build['endian']}, {build['compiler']}"


def comparison(figures, guide, peers):
    lines = [f"{'':<31} {'standard C++':>14} {'built-ins':>14} {'assembly':>14} {'built-ins':>9}",
             f"{'algorithm':<9} {'':<21}" + f" {'MiB/s':>7} {'cpb':>6}" * 3 + f" {'over C++':>9}"]

    def line(algorithm, source, texts, ratio):
        shown = "".join(f" {mibs:>7} {cpb:>6}" for mibs, cpb in texts)
        lines.append(f"{algorithm:<9} {source:<21}{shown} {f'{ratio:.1f}' if ratio else '-':>9}")

    for row in ROWS:
        fields = guide[row.algorithm]
        line(row.algorithm, "guide, measured", [(fields[f"{c}_mibs"], fields[f"{c}_cpb"]) for c in COLUMNS],
             guide_ratio(fields))
        for build in figures["builds"]:
            texts = []
            for column, kernel in zip(COLUMNS, ("portable", "power8", "assembly")):
                found = cycles(build, row.operation, kernel)
                none = "N/A" if fields[f"{column}_cpb"] == "N/A" else "-"
                texts.append((f"{mib_per_second(found):.0f}", rounded(found)) if found else (none, none))
            line("", name_of(build), texts, model_ratio(build, row.operation))
        # Measured by its author above, this assembly stands here by the model too, beside ours.
        for peer in peers:
            if peer["operation"] == row.operation and peer["peer"].startswith("OpenSSL"):
                found = number(peer["model"])
                line("", f"model, {peer['endian']}, {peer['peer'].split()[0]}",
                     [("-", "-"), ("-", "-"), (f"{mib_per_second(found):.0f}", rounded(found))], None)
    return lines


def details(build):
    """All kernels for POWER8 of one build."""
    lines = [f"{name_of(build) + ':':<28} {'instructions':>12} {'model':>7} {'model of':>9}",
             f"{'':<28} {'per byte':>12} {'cpb':>7} {'the loop':>9}"]
    for row in ROWS + MORE_ROWS:
        found = build["kernels"].get(row.operation, {}).get("power8")
        if found is None:
            continue
        loop = found["model_cycles_per_byte_of_loop"]
        lines.append(f"  {row.algorithm:<26} {found['instructions_per_byte']:>12.3f} {found['model_cycles_per_byte']:>7.3f} "
                     f"{f'{loop:.3f}' if loop else '-':>9}")
    return lines


def verdict(ours, theirs):
    """Differences of a few percent are not the model's to tell."""
    return "level" if abs(ours / theirs - 1) < 0.03 else "ahead" if ours < theirs else "behind"


def beside_peers(figures, peers):
    """Our kernels as GCC compiles them, and others' code, by the same model."""
    lines = []
    builds = {build["endian"]: build for build in figures["builds"] if build["compiler"].startswith("gcc")}
    names = {row.operation: row.algorithm for row in ROWS + MORE_ROWS}
    for peer in peers:
        ours = cycles(builds[peer["endian"]], peer["operation"], "power8") if peer["endian"] in builds else None
        if not ours:
            continue
        ratio = measured_over_model(peer)
        lines.append(f"  {names[peer['operation']]:<20} {peer['endian']} {ours:>6.3f}  {verdict(ours, number(peer['model'])):<7}"
                     f"{peer['peer']:<14} {number(peer['model']):>6.3f} {peer['measured']:>9} "
                     f"{f'{ratio:.2f}' if ratio else '-':>11}")
    head = [f"  {'':<23} {'ours':>6}  {'':<7}{'others':<14} {'model':>6} {'measured':>9} {'over model':>11}"]
    return head + lines if lines else []


def goals(figures):
    lines = []
    for build in figures["builds"]:
        if build["endian"] != "LE" or not build["compiler"].startswith("gcc"):
            continue
        for row in ROWS + MORE_ROWS:
            found = cycles(build, row.operation, "power8")
            if row.goal and found:
                verdict = "met" if found < row.goal else "missed"
                lines.append(f"  {row.algorithm:<9} below {row.goal:<5g} {rounded(found):>6}  {verdict}")
    return lines


def report(figures, guide, peers):
    low, high = REAL_OVER_MODEL
    lines = [f"Guide: POWER S822 at 3.4 GHz, GCC 7.2.0, measured. Model: llvm-mca {figures['llvm_mca']} for pwr8, without caches, "
             "branches and",
             f"page crossings; not measured: expect the real value at {low} to {high} times its cycles per byte (cpb). "
             "MiB/s at 3.4 GHz.",
             "Published results were right on every kernel, and outputs equal to the portable kernel's.",
             "", *comparison(figures, guide, peers)]
    for build in figures["builds"]:
        lines += ["", *details(build)]
    beside = beside_peers(figures, peers)
    if beside:
        lines += ["", "Others' code by the same model, cpb; measured is what its author published for POWER8:", *beside]
    met = goals(figures)
    if met:
        lines += ["", "Goals, model cpb on little-endian by GCC:", *met]
    return "\n".join(lines) + "\n"
