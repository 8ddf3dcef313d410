#!/usr/bin/env python3
"""Writes tools/bench/bench_answers.inc: published results that `incore bench` checks before it measures, taken from files too
large to be copied: RSA keys and signatures, AES-XTS, AES-CCM, and points of curves over GF(2^m).

Reads the package python3-cryptography-vectors and the openssl program (the generators of curves: that a generator lies on
its curve gives a known product, as y (x + y) = x^3 + a x^2 + b).
"""
import hashlib
import pathlib
import re
import subprocess
import sys

VECTORS = pathlib.Path("/usr/lib/python3/dist-packages/cryptography_vectors")
OUT = pathlib.Path(__file__).parents[1] / "tools" / "bench" / "bench_answers.inc"
SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")  # of DigestInfo, RFC 8017 section 9.2
CURVES = {191: "c2tnb191v1", 233: "sect233r1", 283: "sect283r1", 409: "sect409r1", 571: "sect571r1"}


def hexed(number, length=None):
    text = f"{number:x}"
    return text.zfill(2 * length if length else len(text) + len(text) % 2)


def primes(n, e, d):
    """p and q of n, by the square roots of 1 that an even multiple of the order gives."""
    k = e * d - 1
    odd = k >> ((k & -k).bit_length() - 1)
    for base in range(2, 1000):
        x = pow(base, odd, n)
        while x not in (1, n - 1):
            root, x = x, x * x % n
            if x == 1:
                p = gcd(root - 1, n)
                return max(p, n // p), min(p, n // p)
    sys.exit("no primes found")


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def rsa_cases():
    """For each size the first key of CAVP's SigGen15 with d, and its SHA-256 signature."""
    for path in sorted((VECTORS / "asymmetric/RSA/FIPS_186-2").glob("SigGen15_186-*.txt")):
        key, fields = {}, {}
        for line in path.read_text().splitlines():
            match = re.match(r"(\w+)\s*=\s*(\w+)$", line)
            if not match:
                continue
            name, value = match.groups()
            if name in "ned":
                key[name] = int(value, 16)
            fields[name] = value
            if name == "S" and fields["SHAAlg"] == "SHA256":
                yield path.name, dict(key), bytes.fromhex(fields["Msg"]), int(value, 16)


def rsa_rows():
    wanted = [1024, 2048, 4096]
    for name, key, message, signature in rsa_cases():
        n, e, d = key["n"], key["e"], key["d"]
        bits = n.bit_length()
        if bits not in wanted:
            continue
        wanted.remove(bits)
        length = bits // 8
        digest = SHA256_PREFIX + hashlib.sha256(message).digest()
        encoded = int.from_bytes(b"\0\1" + b"\xff" * (length - len(digest) - 3) + b"\0" + digest, "big")
        assert pow(encoded, d, n) == signature
        p, q = primes(n, e, d)
        assert p * q == n
        source = f"NIST CAVP {name}"
        numbers = [n, e, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)]
        yield f"rsa-{bits}-private", source, hexed(encoded, length), hexed(signature, length), numbers
        yield f"rsa-{bits}-public", source, hexed(signature, length), hexed(encoded, length), numbers
        if bits == 1024:
            half = (p.bit_length() + 7) // 8
            yield "modexp-512", source + " modulo p", hexed(encoded % p, half), hexed(signature % p, half), [d % (p - 1), p]
        if bits in (1024, 2048):
            yield f"modexp-{bits}", source, hexed(encoded, length), hexed(signature, length), [d, n]
    assert not wanted, wanted


def gf2_reduce(value, f):
    while value.bit_length() >= f.bit_length():
        value ^= f << (value.bit_length() - f.bit_length())
    return value


def gf2_product(a, b, f):
    result = 0
    for i in range(b.bit_length()):
        if b >> i & 1:
            result ^= a << i
    return gf2_reduce(result, f)


def gf2_rows():
    for m, curve in CURVES.items():
        text = subprocess.run(["openssl", "ecparam", "-name", curve, "-param_enc", "explicit", "-text", "-noout",
                               "-conv_form", "uncompressed"], capture_output=True, text=True, check=True).stdout

        def number(title):
            found = re.search(title + r".*?:\s+((?:[0-9a-f]{2}[:\s]+)+|0x[0-9a-f]+|\d+ \(0x[0-9a-f]+\))", text)
            return "".join(re.findall(r"[0-9a-f]{2}", found.group(1))) if "(" not in found.group(1) else \
                re.search(r"0x([0-9a-f]+)", found.group(1)).group(1)

        f, a, b, point = (number(title) for title in ("Polynomial", "A", "B", r"Generator \(uncompressed\)"))
        f, a, b = (int(value, 16) for value in (f, a, b))
        length = (m + 7) // 8
        assert f.bit_length() == m + 1 and point[:2] == "04" and len(point) == 2 + 4 * length, curve
        x, y = int(point[2:2 + 2 * length], 16), int(point[2 + 2 * length:], 16)
        x2 = gf2_product(x, x, f)
        right = gf2_product(x2, x, f) ^ gf2_product(a, x2, f) ^ b
        assert gf2_product(y, x ^ y, f) == right, curve
        exponents = [e for e in range(m, -1, -1) if f >> e & 1]
        yield f"gf2-{m}", f"the generator of {curve}", hexed(y, length) + hexed(x ^ y, length), hexed(right, length), exponents


def literal(text):
    parts = [text[i:i + 88] for i in range(0, len(text), 88)] or [""]
    return "\n     ".join(f'"{part}"' for part in parts)


def xts_rows():
    for bits in (128, 256):
        text = (VECTORS / f"ciphers/AES/XTS/tweak-128hexstr/XTSGenAES{bits}.rsp").read_text()
        encrypt = re.search(r"\[ENCRYPT\](.*)\[DECRYPT\]", text, re.S).group(1)
        for block in encrypt.split("COUNT")[1:]:
            field = dict(re.findall(r"(\w+) = (\w+)", block))
            if int(field["DataUnitLen"]) == 256:
                yield bits, field["Key"], field["i"], field["PT"], field["CT"], f"NIST CAVP XTSGenAES{bits}"
                break
        else:
            sys.exit("no XTS vector")


def ccm_rows():
    for bits in (128, 256):
        text = (VECTORS / f"ciphers/AES/CCM/VADT{bits}.rsp").read_text()
        section = text[text.index("[Alen = 16]"):]
        first = section[:re.search(r"^CT = .*$", section, re.M).end()]
        field = dict(re.findall(r"^(\w+) = (\w+)", first, re.M))
        yield bits, field["Key"], field["Nonce"], field["Adata"], field["Payload"], field["CT"], f"NIST CAVP VADT{bits}"


def main():
    lines = [f"// Written by scripts/{pathlib.Path(__file__).name}, which says from what.",
             "// operation, source, key, iv, aad, in, out, numbers (highest byte first)"]

    def add(operation, source, key, iv, aad, given, result, numbers):
        strings = ",\n     ".join(literal(text) for text in (key, iv, aad, given, result))
        listed = ",\n      ".join(literal(number) for number in numbers)
        lines.append(f'    {{"{operation}", "{source}",\n     {strings},\n     {{{listed}}}}},')

    for bits, key, tweak, plain, cipher, source in xts_rows():
        add(f"aes-{bits}-xts-encrypt", source, key, tweak, "", plain, cipher, [])
        add(f"aes-{bits}-xts-decrypt", source, key, tweak, "", cipher, plain, [])
    for bits, key, nonce, aad, plain, cipher, source in ccm_rows():
        add(f"aes-{bits}-ccm-encrypt", source, key, nonce, aad, plain, cipher, [])
        add(f"aes-{bits}-ccm-decrypt", source, key, nonce, aad, cipher, plain, [])
    for operation, source, given, result, numbers in rsa_rows():
        add(operation, source, "", "", "", given, result, [hexed(number) for number in numbers])
    for operation, source, given, result, exponents in gf2_rows():
        add(operation, source, "", "", "", given, result, [hexed(e, 2) for e in exponents])
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
