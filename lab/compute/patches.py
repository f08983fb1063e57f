"""Puts Nova's own fixtures and the host's connection in libvirt's place. Driver, tracker and reports stay Nova's."""
import io
import os

import fixtures
import nova.privsep.libvirt
from nova import exception
from nova.tests import fixtures as nova_fixtures
from nova.tests.fixtures import libvirt as fake
from nova.virt.libvirt import utils
from oslo_utils import uuidutils

from devices import Mdev
from hardware import device_name

CONNECTION_CHANGES = ("createXML", "_undefine", "_mark_running", "_mark_not_running")
DOMAIN_CHANGES = ("createWithFlags", "destroy", "shutdown", "suspend", "resume", "attachDevice", "detachDevice",
                  "undefine", "undefineFlags")
KEPT = []


def use(fixture):
    fixture.setUp()
    KEPT.append(fixture)


def create_image(_driver, _context, instance, *_arguments, **_options):
    """Only the folder and an empty disk: migrations rename and remove them."""
    path = utils.get_instance_path(instance)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "disk"), "wb"):
        pass
    return False, False


def no_network_card(pci_addr, pf_interface=False):
    raise exception.PciDeviceNotFoundById(id=pci_addr)


def saving(connection, original):
    def changed(*arguments, **options):
        outcome = original(*arguments, **options)
        connection.save()
        return outcome
    return changed


def install_fixtures(hardware):
    uname = os.uname
    use(nova_fixtures.LibvirtImageBackendFixture())
    use(nova_fixtures.CGroupsFixture())
    use(nova_fixtures.LibvirtFixture())
    use(nova_fixtures.OSBrickFixture())
    os.uname = uname
    disk = {"total": hardware.disk_gib, "used": 0, "free": hardware.disk_gib}
    for name, value in (
            ("nova.virt.libvirt.LibvirtDriver._get_local_gb_info", disk),
            ("nova.virt.libvirt.LibvirtDriver._get_instance_disk_info", []),
            ("nova.virt.libvirt.driver.libvirt_utils.is_valid_hostname", True),
            ("nova.privsep.utils.supports_direct_io", True),
            ("nova.virt.libvirt.host.Host.get_online_cpus", set(range(hardware.cpus)))):
        use(fixtures.MockPatch(name, return_value=value))
    use(fixtures.MockPatch("nova.virt.libvirt.driver.libvirt_utils.file_open",
                           side_effect=lambda *_a, **_o: io.BytesIO(b"")))
    use(fixtures.MockPatch("nova.pci.utils.is_physical_function", side_effect=hardware.is_physical_function))
    use(fixtures.MockPatch("nova.pci.utils.get_mac_by_pci_address", side_effect=no_network_card))
    use(fixtures.MockPatch("nova.virt.libvirt.LibvirtDriver._create_image", new=create_image))


def install_connection(connection):
    use(fixtures.MockPatch("nova.virt.libvirt.host.Host.get_connection", return_value=connection))

    def create_mdev(physical_device, mdev_type, uuid=None):
        uuid = uuid or uuidutils.generate_uuid()
        connection.activate(Mdev(connection, utils.mdev_uuid2name(uuid), mdev_type, device_name(physical_device)))
        return uuid

    if hasattr(nova.privsep.libvirt, "create_mdev"):  # newer releases make mdevs through libvirt alone
        use(fixtures.MockPatch("nova.privsep.libvirt.create_mdev", side_effect=create_mdev))
    for owner, names in ((fake.Connection, CONNECTION_CHANGES), (fake.Domain, DOMAIN_CHANGES)):
        for name in names:
            setattr(owner, name, saving(connection, getattr(owner, name)))
