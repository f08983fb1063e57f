"""What Nova requests for a server of a flavor, by its own functions."""
import nova.conf
from nova import objects
from nova.limit import placement
from nova.pci import request
from nova.scheduler import utils
from trust_schema import trust_schema

CONF = nova.conf.CONF
CONF([], project="nova", default_config_files=[], default_config_dirs=[])
objects.register_all()
trust_schema(request._ALIAS_SCHEMA)
CONF.set_override(
    "alias",
    ['{"name": "gpu", "vendor_id": "10de", "product_id": "1eb8"}', '{"name": "t4", "vendor_id": "10de", "product_id": "1eb8"}'],
    group="pci",
)


def flavor_request(question):
    """Groups, policy and aliases of a flavor, refused where Nova creates no server of it."""
    flavor = objects.Flavor(**question)
    pci = request.get_pci_requests_from_flavor(flavor)
    spec = objects.RequestSpec(flavor=flavor, is_bfv=False)
    spec.requested_resources = []
    found = utils.ResourceRequest.from_request_spec(spec)
    groups = {
        suffix or "": {
            "resources": dict(group.resources),
            "required": sorted(group.required_traits),
            "forbidden": sorted(group.forbidden_traits),
        }
        for suffix, group in found._rg_by_id.items()
    }
    aliases = [[one.alias_name, one.count] for one in pci.requests]
    return {"groups": groups, "policy": found.group_policy, "aliases": aliases}


def limit_deltas(question):
    """What one server of a flavor adds to each limit."""
    flavor = objects.Flavor(**question)
    if hasattr(placement, "_get_deltas_by_flavor"):
        return placement._get_deltas_by_flavor(flavor, False, 1)
    return placement._get_deltas(utils.request_spec_for_limits(flavor, False), 1)


def limit_usage(question):
    """What Nova compares with each limit, by Placement's usage of a project."""
    CONF.set_override("driver", "nova.quota.UnifiedLimitsDriver", group="quota")
    CONF.set_override("unified_limits_count_pcpu_as_vcpu", question["countsPcpu"], group="workarounds")
    placement._get_placement_usages = lambda context, project_id: dict(question["usages"])
    return placement._get_usage(None, "p1", question["names"])


FUNCTIONS = {"flavor_request": flavor_request, "limit_deltas": limit_deltas, "limit_usage": limit_usage}
