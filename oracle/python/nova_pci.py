"""What Nova makes of PCI aliases and device_spec, by its own functions."""
import types

import nova.conf
from nova import objects
from nova.compute import pci_placement_translator as translator
from nova.pci import request
from nova.pci import utils
from nova.pci import whitelist
from trust_schema import trust_schema

CONF = nova.conf.CONF
CONF([], project="nova", default_config_files=[], default_config_dirs=[])
objects.register_all()
trust_schema(request._ALIAS_SCHEMA)


def set_options(question):
    """The options of this question; one that the release does not have is left out."""
    CONF.clear_override("alias", group="pci")
    CONF.set_override("alias", question["aliases"], group="pci")
    if "pci_in_placement" in CONF.filter_scheduler:
        CONF.set_override("pci_in_placement", question["isByPlacement"], group="filter_scheduler")


def read_aliases():
    if hasattr(request, "get_alias_from_config"):
        request.get_alias_from_config.cache_clear()
        return request.get_alias_from_config()
    return request._get_alias_from_config()


def aliases(question):
    """Policy and specs of each alias, refused where Nova does not start or refuses every request with an alias."""
    set_options(question)
    found = read_aliases()
    return {name: {"policy": policy, "specs": specs} for name, (policy, specs) in found.items()}


def traits(tags):
    return sorted(translator._get_traits_for_dev(tags))


def device_spec(question):
    """Which spec takes each device, with the class and the traits that it has in Placement."""
    devices = [types.SimpleNamespace(card_serial_number=None, **each) for each in question["devices"]]
    parents = {device.parent_addr for device in devices}
    # Neither cards nor network interfaces of this machine may change an answer.
    utils.is_physical_function = lambda domain, bus, slot, func: f"{domain}:{bus}:{slot}.{func}" in parents
    utils.get_function_by_ifname = lambda name: (None, False)
    CONF.set_override("report_in_placement", question["isReported"], group="pci")
    specs = whitelist.Whitelist([question["line"]]).specs
    if question["isReported"]:
        translator.ensure_no_dev_spec_with_devname(specs)
        for spec in specs:
            translator._get_rc_for_dev(devices[0], spec.get_tags())
            traits(spec.get_tags())
    found = []
    for device in devices:
        spec = next((spec for spec in specs if spec.match_pci_obj(device)), None)
        if spec is None or not question["isReported"]:
            found.append(spec is not None)
        else:
            found.append([translator._get_rc_for_dev(device, spec.get_tags()), *traits(spec.get_tags())])
    return found


FUNCTIONS = {"aliases": aliases, "device_spec": device_spec}
