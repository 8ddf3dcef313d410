"""`python -m incore` is the program, for where the folder of scripts is not in PATH."""
import os
import sys

import incore

os.execv(incore.program(), ["incore", *sys.argv[1:]])
