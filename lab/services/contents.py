"""What the lab's cloud holds: limits, flavors, traits on the pGPUs, an image; again and again without harm."""
import json
import os
import time

from lab_api import REGION, admin_session, api_of

STATE = os.environ["LAB_STATE"]
HOSTS = os.environ["LAB_HOSTS"].split()
DEFAULT_LIMITS = {
    "servers": 20, "class:VCPU": 100, "class:MEMORY_MB": 200000, "class:DISK_GB": 2000, "class:PCPU": 0,
    "class:VGPU": 0, "server_metadata_items": 128, "server_injected_files": 5,
    "server_injected_file_content_bytes": 10240, "server_injected_file_path_bytes": 255,
    "server_key_pairs": 100, "server_groups": 10, "server_group_members": 10}
# The console boots its test servers in its service account's project.
PROJECT_LIMITS = {"demo": {"class:VGPU": 4}, "admin": {"class:VGPU": 6}, "service": {"class:VGPU": 1}}
FLAVORS = {
    "cpu.small": {},
    "vgpu.t4-4q": {"resources:VGPU": "1", "trait:CUSTOM_GRID_T4_4Q": "required"},
    "vgpu.t4-8q": {"resources:VGPU": "1", "trait:CUSTOM_GRID_T4_8Q": "required"},
    "vgpu.a2-4q": {"resources:VGPU": "1", "trait:CUSTOM_NVIDIA_A2_4Q": "required"}}

admin = admin_session()
nova = api_of(admin, "compute", "2.90")
placement = api_of(admin, "placement", "1.39")


def add_limits():
    keystone = api_of(admin_session(system=True), "identity")
    service = next(each["id"] for each in keystone("GET", "/services")["services"] if each["type"] == "compute")
    projects = {name: keystone("GET", "/projects?name=" + name)["projects"][0]["id"] for name in PROJECT_LIMITS}
    place = {"service_id": service, "region_id": REGION}
    have = {each["resource_name"] for each in keystone("GET", "/registered_limits")["registered_limits"]
            if each["service_id"] == service}
    new = [dict(place, resource_name=name, default_limit=number)
           for name, number in DEFAULT_LIMITS.items() if name not in have]
    if new:
        keystone("POST", "/registered_limits", {"registered_limits": new})
    have = {(each["project_id"], each["resource_name"]) for each in keystone("GET", "/limits")["limits"]}
    new = [dict(place, project_id=projects[project], resource_name=name, resource_limit=number)
           for project, numbers in PROJECT_LIMITS.items() for name, number in numbers.items()
           if (projects[project], name) not in have]
    if new:
        keystone("POST", "/limits", {"limits": new})


def add_flavors():
    have = {flavor["name"] for flavor in nova("GET", "/flavors?is_public=None")["flavors"]}
    for name, extra_specs in FLAVORS.items():
        if name in have:
            continue
        body = {"flavor": {"name": name, "vcpus": 1, "ram": 1024, "disk": 5}}
        flavor = nova("POST", "/flavors", body)["flavor"]
        if extra_specs:
            nova("POST", "/flavors/%s/os-extra_specs" % flavor["id"], {"extra_specs": extra_specs})


def add_image():
    glance = api_of(admin, "image")
    if glance("GET", "/v2/images?name=lab")["images"]:
        return
    image = glance("POST", "/v2/images", {"name": "lab", "disk_format": "raw", "container_format": "bare",
                                          "visibility": "public"})
    answer = admin.put("/v2/images/%s/file" % image["id"], data=b"\0" * 65536, raise_exc=False,
                       headers={"Content-Type": "application/octet-stream"},
                       endpoint_filter={"service_type": "image"})
    if answer.status_code != 204:
        raise SystemExit("lab: the image was refused: %d %s" % (answer.status_code, answer.text[:300]))


def wanted_traits():
    """Provider name to trait, of every pGPU that host.json gives a trait."""
    traits = {}
    for host in HOSTS:
        with open(os.path.join(STATE, "hosts", host, "host.json")) as file:
            cards = json.load(file)["cards"]
        for card in cards:
            for address in card["tagged"]["addresses"]:
                device = address.replace(":", "_").replace(".", "_")
                traits["%s_pci_%s" % (host, device)] = card["tagged"]["trait"]
    return traits


def tag_providers():
    """nova-compute makes the providers of its pGPUs some seconds after its own."""
    traits = wanted_traits()
    for trait in set(traits.values()):
        placement("PUT", "/traits/" + trait)
    for _ in range(60):
        providers = {each["name"]: each["uuid"]
                     for each in placement("GET", "/resource_providers")["resource_providers"]}
        if all(name in providers for name in traits):
            break
        time.sleep(2)
    for name, trait in traits.items():
        if name not in providers:
            print("lab: nova-compute made no provider %s, so %s tags nothing there" % (name, trait))
            continue
        path = "/resource_providers/%s/traits" % providers[name]
        body = placement("GET", path)
        if trait not in body["traits"]:
            placement("PUT", path, dict(body, traits=body["traits"] + [trait]))


add_limits()
add_flavors()
add_image()
tag_providers()
