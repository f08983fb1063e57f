"""nova_parent.py SOCKET: imports Nova once; each of its programs is a fork of this process, which costs a fifth of a start.

A caller writes one line, {"program", "arguments", "environment", "log", "isAwaited"}, and reads the pid of the fork; with
isAwaited then also its exit status. This process reads no configuration: each fork reads that of its program.
"""
import importlib
import json
import os
import runpy
import signal
import sys

HOME = os.environ["LAB_HOME"]
PROGRAMS = ("compute", "conductor", "scheduler", "manage")
COMPUTE = os.path.join(HOME, "compute")

# Newer releases run the scheduler without eventlet by default, but all programs of this process must use it.
os.environ["OS_NOVA_DISABLE_EVENTLET_PATCHING"] = "no"

# The first of them patches eventlet in before anything else is imported.
for each in PROGRAMS:
    importlib.import_module("nova.cmd." + each)
from eventlet import hubs, patcher  # noqa: E402

importlib.import_module("nova.virt.libvirt.driver")
# Nova's code runs in forks alone, so that this process has no loop that they would share.
sockets = patcher.original("socket")


def main_of(program):
    if program != "compute":
        return importlib.import_module("nova.cmd." + program).main
    sys.path.insert(0, COMPUTE)
    return lambda: runpy.run_path(os.path.join(COMPUTE, "main.py"), run_name="__main__")


def become(order):
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for target, source in enumerate((nothing, log, log)):
        os.dup2(source, target)
    for name in [name for name in os.environ if name.startswith("LAB_")]:
        del os.environ[name]
    os.environ.update(order["environment"])
    hubs.use_hub()
    sys.argv = ["nova-" + order["program"]] + order["arguments"]
    try:
        return main_of(order["program"])() or 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)


def serve(listener):
    while True:
        caller, _ = listener.accept()
        order = json.loads(caller.makefile().readline())
        pid = os.fork()
        if pid == 0:
            listener.close()
            caller.sendall(b"%d\n" % os.getpid())
            if not order["isAwaited"]:
                caller.close()
            status = become(order)
            if order["isAwaited"]:
                caller.sendall(b"%d\n" % status)
            sys.exit(status)
        caller.close()


def listen(path):
    if os.path.exists(path):
        os.unlink(path)
    listener = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    listener.bind(path + ".new")
    listener.listen(16)
    os.rename(path + ".new", path)
    return listener


# Nobody waits for a fork here: whoever asked for it goes by its pid.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
serve(listen(sys.argv[1]))
