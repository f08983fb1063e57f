"""What Nova's libvirt driver makes of mdev types in nova.conf, by its own functions."""
import collections
import os
import tempfile
import types

import os_resource_classes as orc
from oslo_config import cfg

from nova.conf import devices
from nova.virt.libvirt import driver

FOLDER = tempfile.TemporaryDirectory(prefix="oracle-mdev-")
FILE = os.path.join(FOLDER.name, "nova.conf")


def read_options(text):
    """The options of a nova.conf, without any option of an earlier question."""
    with open(FILE, "w") as file:
        file.write(text)
    conf = cfg.ConfigOpts()
    devices.register_opts(conf)
    conf(["--config-file", FILE], project="nova", default_config_files=[], default_config_dirs=[])
    return conf


def start(text):
    """The libvirt driver after the part of its start that reads mdev types; what a release does not have is not read."""
    driver.CONF = read_options(text)
    started = driver.LibvirtDriver.__new__(driver.LibvirtDriver)
    started.pgpu_type_mapping = collections.defaultdict(str)
    started.pgpu_type_default = None
    started.mdev_class_mapping = collections.defaultdict(lambda: orc.VGPU)
    started.mdev_classes = set()
    started.mdev_type_max_mapping = collections.defaultdict(str)
    started.virtual_mdevs = set()
    started.supported_vgpu_types = started._get_supported_vgpu_types()
    return started


def libvirt_name(address):
    return "pci_" + address.replace(":", "_").replace(".", "_")


def parent_xml(parent):
    offers = "".join(
        f"<type id='{kind}'><name>GRID</name><deviceAPI>vfio-pci</deviceAPI>"
        f"<availableInstances>{available}</availableInstances></type>"
        for kind, available in parent["offers"]
    )
    return (
        f"<device><name>{libvirt_name(parent['address'])}</name><parent>computer</parent><capability type='pci'>"
        "<domain>0</domain><bus>0</bus><slot>0</slot><function>0</function>"
        "<product id='0x1eb8'>T4</product><vendor id='0x10de'>NVIDIA</vendor>"
        f"<capability type='mdev_types'>{offers}</capability></capability></device>"
    )


def mdev_xml(mdev):
    return (
        f"<device><name>{mdev_name(mdev)}</name><parent>{libvirt_name(mdev['parent'])}</parent>"
        f"<capability type='mdev'><type id='{mdev['typeId']}'/><uuid>{mdev['uuid']}</uuid>"
        "<iommuGroup number='12'/></capability></device>"
    )


def mdev_name(mdev):
    return "mdev_" + mdev["uuid"].replace("-", "_") + "_" + mdev["parent"].replace(":", "_").replace(".", "_")


class Host:
    """libvirt's node devices of a question, as XML."""

    def __init__(self, question):
        self.parents = {libvirt_name(parent["address"]): parent_xml(parent) for parent in question["parents"]}
        self.mdevs = {mdev_name(mdev): mdev_xml(mdev) for mdev in question["mdevs"]}

    def list_mdev_capable_devices(self, *_):
        return list(self.parents)

    def list_mediated_devices(self, *_):
        return list(self.mdevs)

    def device_lookup_by_name(self, name):
        xml = self.parents.get(name) or self.mdevs[name]
        return types.SimpleNamespace(XMLDesc=lambda *_: xml)


def types_of(started, question):
    """Type and resource class of each mdev parent."""
    found = {}
    for parent in question["parents"]:
        name = libvirt_name(parent["address"])
        kind = started._get_vgpu_type_per_pgpu(name)
        found[parent["address"]] = [kind, started._get_resource_class_for_device(name)] if kind else None
    return found


def inventories_of(started, question):
    """Class and total of each provider that Nova creates for an mdev parent."""
    started._host = Host(question)
    inventories = started._get_gpu_inventories()
    found = {}
    for parent in question["parents"]:
        name = libvirt_name(parent["address"])
        inventory = inventories.get(name)
        # _ensure_pgpu_providers skips a total of 0.
        if inventory is not None and inventory["total"]:
            found[parent["address"]] = [started._get_resource_class_for_device(name), inventory["total"]]
    return found


def mdevs(question):
    """Types and inventories of the mdev parents, refused where nova-compute does not start."""
    started = start(question["text"])
    return {"types": types_of(started, question), "inventories": inventories_of(started, question)}


FUNCTIONS = {"mdevs": mdevs}
