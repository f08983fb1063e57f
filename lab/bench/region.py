"""region.py add PLACEMENT_URL NOVA_URL | remove: the region Bench in the lab's catalogue, with the benchmark's services."""
import sys

from keystoneauth1 import exceptions
from keystoneclient.v3 import client

from lab_api import KEYSTONE, admin_session

NAME = "Bench"
keystone = client.Client(session=admin_session(), interface="public")


def remove():
    for endpoint in keystone.endpoints.list(region_id=NAME):
        keystone.endpoints.delete(endpoint)
    try:
        keystone.regions.delete(NAME)
    except exceptions.NotFound:
        pass


def add(placement, nova):
    keystone.regions.create(NAME)
    services = {service.type: service for service in keystone.services.list()}
    for kind, url in (("placement", placement), ("compute", nova), ("identity", KEYSTONE)):
        keystone.endpoints.create(services[kind], url, interface="public", region=NAME)


remove()
if sys.argv[1] == "add":
    add(*sys.argv[2:])
