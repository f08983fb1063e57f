"""has_hosts.py NAME...: exit 0 once Placement knows each as a provider with inventory."""
import sys

from lab_api import admin_session, api_of

placement = api_of(admin_session(), "placement", "1.39")


def is_ready(name):
    found = placement("GET", "/resource_providers?name=" + name)["resource_providers"]
    return any(placement("GET", "/resource_providers/%s/inventories" % provider["uuid"])["inventories"]
               for provider in found)


sys.exit(0 if all(is_ready(name) for name in sys.argv[1:]) else 1)
