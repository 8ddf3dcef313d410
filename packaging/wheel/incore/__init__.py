"""The program `incore` from Python: it runs programs that use crypto instructions which this CPU does not have.

    >>> import incore
    >>> incore.run(["run", "--require", "xcrypt-cbc", "--", "./my_test"], check=True)
"""
import importlib.metadata
import os
import subprocess
import sysconfig

__all__ = ["__version__", "program", "run"]
__version__ = importlib.metadata.version("incore")


def program():
    """Returns the path of the program that was installed with this package; raises FileNotFoundError if it is gone."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [os.path.join(folder, "bin", "incore")]  # by pip install --target
    places += [str(file.locate()) for file in importlib.metadata.files("incore") or () if file.name == "incore"]  # as pip recorded
    places.append(os.path.join(sysconfig.get_path("scripts"), "incore"))
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return os.path.realpath(place)
    raise FileNotFoundError("the program incore is not where pip put it: " + ", ".join(dict.fromkeys(places)))


def run(args, **options):
    """Runs `incore` with the arguments |args| and returns a subprocess.CompletedProcess.

    args     a list of strings: the command and what follows it, such as ["scan", "/usr/bin/openssl"]
    options  those of subprocess.run, such as capture_output=True, text=True, check=True, timeout=60

    The exit code is 2 for bad usage or input and 1 if the command found a difference; `incore run` gives that of the
    program which it ran. Raises what subprocess.run raises, and FileNotFoundError if the program is gone.
    """
    if isinstance(args, (str, bytes)):
        raise TypeError("args is a list of strings, not one string")
    return subprocess.run([program(), *map(os.fspath, args)], **options)
