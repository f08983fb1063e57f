"""has_hosts.py SECONDS NAME...: waits until Placement knows each as a provider with inventory; exit 1 when the time is over.

One process that asks again and again: to begin one takes more of a core than a hundred questions.
"""
import sys
import time

from lab_api import admin_session, api_of

placement = api_of(admin_session(), "placement", "1.39")


def is_ready(name):
    found = placement("GET", "/resource_providers?name=" + name)["resource_providers"]
    return any(placement("GET", "/resource_providers/%s/inventories" % provider["uuid"])["inventories"]
               for provider in found)


end = time.monotonic() + float(sys.argv[1])
while not all(is_ready(name) for name in sys.argv[2:]):
    if time.monotonic() > end:
        sys.exit(1)
    time.sleep(0.5)
