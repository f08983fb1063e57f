"""Answers questions with the functions of a Python package. `serve.py MODULE` imports oracle/python/MODULE.py; each line of the
input is {"fn": NAME, "inputs": […]}, each line of the output a list with {"value": …} or {"refused": REASON} for each input.
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


def answer(function, question):
    try:
        return {"value": function(question)}
    except Exception as error:  # Every refusal of the package is an answer.
        return {"refused": f"{type(error).__name__}: {error}"}


def main():
    functions = {"package_versions": package_versions, **importlib.import_module(sys.argv[1]).FUNCTIONS}
    for line in sys.stdin:
        batch = json.loads(line)
        print(json.dumps([answer(functions[batch["fn"]], question) for question in batch["inputs"]]), flush=True)


main()
