"""Users, roles and the catalogue in the lab's Keystone; again and again without harm.

Writes endpoints.json, clouds.yaml (the console's service account) and openrc-<user> below $LAB_STATE.
"""
import json
import os

from keystoneclient.v3 import client
from lab_api import KEYSTONE, PASSWORD, REGION, admin_session

STATE = os.environ["LAB_STATE"]
ADDRESS = os.environ["LAB_ADDRESS"]
SERVICES = {
    "placement": ("placement", "http://%s:%s" % (ADDRESS, os.environ["PLACEMENT_PORT"])),
    "nova": ("compute", "http://%s:%s/v2.1" % (ADDRESS, os.environ["NOVA_PORT"])),
    "glance": ("image", "http://%s:%s" % (ADDRESS, os.environ["GLANCE_PORT"])),
    "neutron": ("network", "http://%s:%s" % (ADDRESS, os.environ["NETWORK_PORT"])),
}
PEOPLE = {"admin": "admin", "auditor": "admin", "demo": "demo"}
keystone = client.Client(session=admin_session(), interface="public", region_name=REGION)


def first(found, make):
    found = list(found)
    return found[0] if found else make()


def project(name):
    return first(keystone.projects.list(name=name, domain="default"),
                 lambda: keystone.projects.create(name, "default"))


def user(name):
    return first(keystone.users.list(name=name, domain="default"),
                 lambda: keystone.users.create(name, domain="default", password=PASSWORD))


def grant_roles():
    roles = {role.name: role for role in keystone.roles.list()}
    for name in ("reader", "service"):
        if name not in roles:
            roles[name] = keystone.roles.create(name)
    service, demo, admin = project("service"), project("demo"), project("admin")
    for name in SERVICES:
        for role in ("admin", "service"):
            keystone.roles.grant(roles[role], user=user(name), project=service)
    # Nova's unified limits read the limits with this role.
    keystone.roles.grant(roles["reader"], user=user("nova"), system="all")
    keystone.roles.grant(roles["admin"], user=user("sliceboard"), project=service)
    keystone.roles.grant(roles["reader"], user=user("sliceboard"), system="all")
    keystone.roles.grant(roles["member"], user=user("demo"), project=demo)
    keystone.roles.grant(roles["reader"], user=user("auditor"), project=admin)
    keystone.roles.grant(roles["reader"], user=user("auditor"), system="all")


def write_catalogue():
    endpoints = {}
    for name, (kind, url) in SERVICES.items():
        service = first(keystone.services.list(type=kind), lambda: keystone.services.create(name, type=kind))
        for interface in ("public", "internal", "admin"):
            endpoint = first(
                keystone.endpoints.list(service=service, interface=interface, region_id=REGION),
                lambda: keystone.endpoints.create(service, url, interface=interface, region=REGION))
            if endpoint.url != url:
                endpoint = keystone.endpoints.update(endpoint, url=url)
            if interface == "public":
                endpoints[kind] = endpoint.id
    return endpoints


def write(name, text):
    with open(os.path.join(STATE, name), "w") as file:
        file.write(text)


def write_clouds_yaml():
    write("clouds.yaml", """\
clouds:
  lab:
    auth_type: password
    auth:
      auth_url: %s
      username: sliceboard
      password: %s
      user_domain_name: Default
      project_name: service
      project_domain_name: Default
    region_name: %s
    interface: public
    identity_api_version: 3
""" % (KEYSTONE, PASSWORD, REGION))


def write_openrc(name, project_name):
    values = {"AUTH_URL": KEYSTONE, "USERNAME": name, "PASSWORD": PASSWORD, "USER_DOMAIN_NAME": "Default",
              "PROJECT_NAME": project_name, "PROJECT_DOMAIN_NAME": "Default", "REGION_NAME": REGION,
              "IDENTITY_API_VERSION": "3", "PLACEMENT_API_VERSION": "1.39", "COMPUTE_API_VERSION": "2.90"}
    write("openrc-" + name, "".join("export OS_%s=%s\n" % pair for pair in values.items()))


grant_roles()
write("endpoints.json", json.dumps(write_catalogue(), indent=1))
write_clouds_yaml()
for person, of_project in PEOPLE.items():
    write_openrc(person, of_project)
