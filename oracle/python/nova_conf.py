"""What oslo.config makes of nova.conf files with the options that Nova registers."""
import os
import shutil
import tempfile

import nova.conf
from oslo_config import cfg

CONF = nova.conf.CONF
ROOT = tempfile.TemporaryDirectory(prefix="oracle-nova-conf-")
PROGRAMS = ("nova", "nova-compute")


def inside(path):
    return ROOT.name + path


def argument(word):
    name, equal, path = word.rpartition("=")
    return name + equal + inside(path) if path.startswith("/") else word


def write_files(files):
    shutil.rmtree(inside("/etc"), ignore_errors=True)
    os.makedirs(inside("/etc/nova"))
    for path, text in files.items():
        os.makedirs(os.path.dirname(inside(path)), exist_ok=True)
        with open(inside(path), "w", encoding="utf-8", newline="") as file:
            file.write(text)


def defaults(suffix):
    """Files or folders that oslo.config reads by default, which it would look for below / alone."""
    paths = [inside(f"/etc/nova/{program}{suffix}") for program in PROGRAMS]
    return [path for path in paths if os.path.exists(path)]


def value_of(group, name):
    """None: not set, or Nova of this release has no such option."""
    if name not in (CONF if group == "DEFAULT" else CONF[group]):
        return None
    location = CONF.get_location(name, None if group == "DEFAULT" else group)
    if location is None or location.location is not cfg.Locations.user:
        return None
    return CONF[name] if group == "DEFAULT" else CONF[group][name]


def options(question):
    """The value of each option that is set. Refused: a file or one of these values is not valid."""
    write_files(question["files"])
    arguments = [argument(word) for word in question["arguments"]]
    CONF.reset()
    CONF(arguments, project="nova", prog="nova-compute", default_config_files=defaults(".conf"),
         default_config_dirs=defaults(".conf.d"))
    found = {f"{group}/{name}": value_of(group, name) for group, name in question["options"]}
    return {key: value for key, value in found.items() if value is not None}


FUNCTIONS = {"options": options}
