"""nova_service.py conductor|scheduler|manage ARGUMENTS: the entry points of Nova, which Debian's libraries lack."""
import importlib
import sys

name = sys.argv[1]
sys.argv = ["nova-" + name] + sys.argv[2:]
sys.exit(importlib.import_module("nova.cmd." + name).main())
