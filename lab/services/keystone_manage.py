"""keystone_manage.py CONFIG -- ARGUMENT... [-- ARGUMENT...]: keystone-manage with one list of arguments after the other.

Each in a fork of a process that imports Keystone once: an import takes as long as the work.
"""
import os
import sys

from keystone.cmd import manage

config, _, *words = sys.argv[1:]
calls = [[]]
for word in words:
    if word == "--":
        calls.append([])
    else:
        calls[-1].append(word)

for call in calls:
    pid = os.fork()
    if pid == 0:
        sys.argv = ["keystone-manage", "--config-file", config] + call
        sys.exit(manage.main())
    _, status = os.waitpid(pid, 0)
    if status != 0:
        sys.exit("keystone-manage %s ended with %d" % (call[0], os.waitstatus_to_exitcode(status)))
