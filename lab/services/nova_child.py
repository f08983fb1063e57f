"""nova_child.py SOCKET LOG start|run PROGRAM ARGUMENT...: asks nova_parent.py for one of Nova's programs.

`start` prints the pid at once; `run` waits and ends as the program ended. What begins with LAB_ is handed on.
"""
import json
import os
import socket
import sys

path, log, how, program, *arguments = sys.argv[1:]
order = {"program": program, "arguments": arguments, "log": log, "isAwaited": how == "run",
         "environment": {name: value for name, value in os.environ.items() if name.startswith("LAB_")}}
parent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
parent.connect(path)
parent.sendall(json.dumps(order).encode() + b"\n")
answer = parent.makefile()
pid = answer.readline().strip()
if how == "start":
    print(pid)
    sys.exit(0 if pid else 1)
sys.exit(int(answer.readline() or 1))
