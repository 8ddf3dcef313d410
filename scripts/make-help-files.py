#!/usr/bin/env python3
"""Writes what systems show and complete of the program: a manual page for each command, and completions for bash, zsh and fish.

usage: make-help-files.py PROGRAM MAN_FOLDER SHARE_FOLDER
"""
import argparse
import json
import os
import pathlib
import subprocess
import time

COMPLETIONS = {"bash": "bash-completion/completions/incore", "zsh": "zsh/site-functions/_incore",
               "fish": "fish/vendor_completions.d/incore.fish"}


def main():
    parser = argparse.ArgumentParser(description="Writes manual pages and completions of the program.")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("man", type=pathlib.Path)
    parser.add_argument("share", type=pathlib.Path)
    options = parser.parse_args()
    # The date of the pages is the program's, so that the same program gives the same pages.
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or options.program.stat().st_mtime)
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))

    def output(*words):
        return subprocess.run([options.program, *words], stdout=subprocess.PIPE, text=True, check=True).stdout

    def write(file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    commands = [json.loads(output("help", "--json"))]
    while commands:
        command = commands.pop()
        commands += command["commands"]
        names = command["command"].split()
        page = output("help", "--man", *names[1:]).replace(' 1 "" ', f' 1 "{date}" ', 1)
        write(options.man / f"{'-'.join(names)}.1", page)
    for shell, file in COMPLETIONS.items():
        write(options.share / file, output("completion", shell))


if __name__ == "__main__":
    main()
