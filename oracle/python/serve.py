"""Answers questions with the functions of a Python package. `serve.py MODULE` imports oracle/python/MODULE.py; each line of the
input is {"fn": NAME, "input": …}, each line of the output {"value": …} or {"refused": REASON}.
"""
import importlib
import importlib.metadata
import json
import logging
import platform
import sys
import warnings

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


PACKAGES = ("nova", "oslo.config", "openstacksdk", "keystoneauth1", "os-traits", "os-resource-classes")


def package_versions(_):
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


def main():
    functions = {"package_versions": package_versions, **importlib.import_module(sys.argv[1]).FUNCTIONS}
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = {"value": functions[question["fn"]](question["input"])}
        except Exception as error:  # Every refusal of the package is an answer.
            answer = {"refused": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
