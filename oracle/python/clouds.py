"""What openstacksdk and keystoneauth make of clouds.yaml: for each cloud and region the request for a token that they send, the
TLS settings of its connection and the endpoints that they choose from a catalog. No request leaves this process.
"""
import functools
import json
import os
import tempfile

import os_service_types
import requests
from keystoneauth1 import exceptions
from keystoneauth1 import session as ks_session
from openstack.config import loader

FOLDER = tempfile.TemporaryDirectory(prefix="oracle-clouds-")
NAMES = ("clouds.yaml", "secure.yaml", "clouds-public.yaml")
TYPES = {"nova": "compute", "placement": "placement"}
# The property copies its whole table for each look-up, which takes a third of the time of a question.
os_service_types.ServiceTypes.all_types_by_service_type = os_service_types.ServiceTypes().all_types_by_service_type


class Keystone(requests.adapters.BaseAdapter):
    """Answers discovery and requests for tokens, and keeps the first of the latter."""

    def __init__(self, catalog):
        super().__init__()
        self.catalog = catalog
        self.token_request = None

    def send(self, request, stream=False, timeout=None, verify=True, cert=None, proxies=None):
        url = request.url.rstrip("/")
        if request.method == "GET":
            return answer(request, 200, discovery(url), {})
        if not url.endswith("/v3/auth/tokens"):
            return answer(request, 404, {"error": {"message": "only v3"}}, {})
        self.token_request = {"url": url, "body": json.loads(request.body), "verify": verify is not False,
                              "caFile": verify if isinstance(verify, str) else None, "hasCertificate": cert is not None}
        named = {"id": "x", "name": "x", "domain": {"id": "x", "name": "x"}}
        token = {"methods": ["password"], "user": named, "project": named, "roles": [], "catalog": self.catalog,
                 "issued_at": "2030-01-01T00:00:00Z", "expires_at": "2030-01-01T01:00:00Z"}
        return answer(request, 201, {"token": token}, {"X-Subject-Token": "t"})

    def close(self):
        pass


def discovery(url):
    version = "v2.0" if url.endswith("/v2.0") else "v3.14"
    is_versioned = url.endswith("/v3") or version == "v2.0"
    entry = {"id": version, "status": "stable",
             "links": [{"rel": "self", "href": (url if is_versioned else url + "/v3") + "/"}]}
    return {"version": entry} if is_versioned else {"versions": {"values": [entry]}}


def answer(request, status, body, headers):
    response = requests.Response()
    response.status_code = status
    response.headers.update({"Content-Type": "application/json", **headers})
    response._content = json.dumps(body).encode()
    response.request = request
    response.url = request.url
    return response


def endpoint(region, catalog, service):
    override = region.get_endpoint(service)
    if override:
        return override
    try:
        return catalog.url_for(service_type=region.get_service_type(service), service_name=region.get_service_name(service),
                               interface=region.get_interface(service), region_name=region.get_region_name(service))
    except exceptions.CatalogException:
        return None


def resolve(config, cloud, name, catalog):
    region = config.get_one(cloud, region_name=name)
    adapter = Keystone(catalog)
    transport = requests.Session()
    transport.trust_env = False
    for scheme in ("http://", "https://"):
        transport.mount(scheme, adapter)
    region.set_session_constructor(functools.partial(ks_session.Session, session=transport))
    access = region.get_auth().get_access(region.get_session())
    found = {service: endpoint(region, access.service_catalog, kind) for service, kind in TYPES.items()}
    timeout = region.config.get("api_timeout")
    return {**adapter.token_request, "timeout": None if timeout is None else float(timeout), "endpoints": found}


def set_environment(own):
    for name in [name for name in os.environ if name.startswith("OS_")]:
        del os.environ[name]
    os.environ.update(own)


def load(question):
    paths = []
    for name in NAMES:
        path = os.path.join(FOLDER.name, name)
        if name in question["files"]:
            with open(path, "w") as file:
                file.write(question["files"][name])
        elif os.path.exists(path):
            os.remove(path)
        paths.append([path])
    set_environment(question["environment"])
    config = loader.OpenStackConfig(config_files=paths[0], secure_files=paths[1], vendor_files=paths[2])
    found = {}
    for cloud in list(config.get_cloud_names()):
        try:
            regions = config._get_regions(cloud)
        except Exception as error:
            found[cloud] = {"refused": f"{type(error).__name__}: {error}"}
            continue
        for region in regions:
            key = f"{cloud}|{region['name']}"
            try:
                found[key] = resolve(config, cloud, region["name"], question["catalog"])
            except Exception as error:
                found[key] = {"refused": f"{type(error).__name__}: {error}"}
    return found


FUNCTIONS = {"load": load}
