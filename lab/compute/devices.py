"""Node devices of the fake libvirt: mdev parents that count, and mdevs that may be defined without being active."""
import nova.privsep.libvirt
from nova.tests.fixtures import libvirt as fake
from nova.virt.libvirt import driver
from nova.virt.libvirt import utils

from hardware import device_name

# From 2025.1 on Nova makes mdevs as persistent node devices through libvirt, before by a write to sysfs.
HAS_PERSISTENT_MDEVS = not hasattr(nova.privsep.libvirt, "create_mdev") or hasattr(driver, "MIN_LIBVIRT_PERSISTENT_MDEV")


def place_of(address):
    """Bus, slot and function of 0000:84:00.0 as Nova's fixture takes them."""
    _domain, bus, rest = address.split(":")
    slot, function = rest.split(".")
    return int(bus, 16), int(slot, 16), int(function, 16)


def whole_card(spec):
    """A card under vfio-pci, for [pci] device_spec."""
    return fake.FakePCIDevice("PCI", *place_of(spec["address"]), spec["iommuGroup"], spec["numaNode"],
                              vend_id="10de", vend_name="NVIDIA Corporation", prod_id=spec["deviceId"],
                              prod_name="GPU", driver_name="vfio-pci")


def address_of(element):
    """0000:84:00.0 of an <address> of a guest's <hostdev>."""
    domain, bus, slot, function = (int(element.get(name), 16) for name in ("domain", "bus", "slot", "function"))
    return "%04x:%02x:%02x.%x" % (domain, bus, slot, function)


def address_element(address):
    return "<address domain='0x0000' bus='0x%02x' slot='0x%02x' function='0x%x'/>" % place_of(address)


class Function(fake.FakePCIDevice):
    """A card with SR-IOV or a VF of it, for [pci] device_spec. Nova's fixture counts the VFs from the card's address."""

    def __init__(self, spec, index=None):
        kind, others = "virt_functions", spec["vfs"]
        address, group = spec["address"], spec["iommuGroup"]
        if index is not None:
            kind, others = "phys_function", [spec["address"]]
            address, group = spec["vfs"][index], spec["iommuGroup"] + 1 + index
        super().__init__("PCI", *place_of(address), group, spec["numaNode"], vend_id="10de",
                         vend_name="NVIDIA Corporation", prod_id=spec["deviceId"], prod_name=spec["modelName"],
                         driver_name="nvidia")
        capability = "<capability type='%s'>%s</capability>" % (kind, "".join(map(address_element, others)))
        self.pci_device = self.pci_device.replace("<iommuGroup", capability + "<iommuGroup", 1)


class Parent(fake.FakePCIDevice):
    """A pGPU without SR-IOV, or a VF of one. Nova's fixture offers a constant number of instances; this one counts."""

    def __init__(self, host, card, index):
        self.host, self.card, self.device = host, card, card.slots[index]
        super().__init__("MDEV_TYPES", *place_of(card.spec["slots"][index]),
                         card.spec["iommuGroup"] + index, card.spec["numaNode"], vend_id="10de",
                         vend_name="NVIDIA Corporation", prod_id=card.spec["deviceId"],
                         prod_name=card.spec["modelName"], driver_name="nvidia")

    def XMLDesc(self, flags):
        mdevs = list(self.host.mdev_info.devices.values())
        types = "".join(
            "<type id='%s'><name>%s</name><deviceAPI>vfio-pci</deviceAPI>"
            "<availableInstances>%d</availableInstances></type>"
            % (type_id, spec["name"], self.card.available(self.device, type_id, mdevs))
            for type_id, spec in self.card.types.items())
        head, tail = super().XMLDesc(flags).split("<capability type='mdev_types'>", 1)
        return head + "<capability type='mdev_types'>" + types + "</capability>" + tail.split("</capability>", 1)[1]


class Pool(fake.HostPCIDevicesInfo):
    def __init__(self, host, hardware):
        self.devices = {card.slots[index]: Parent(host, card, index)
                        for card in hardware.cards for index in range(len(card.slots))}
        for card in hardware.cards:
            if card.spec["vfs"]:
                self.devices[device_name(card.spec["address"])] = Function(card.spec)
            self.devices.update({device_name(address): Function(card.spec, index)
                                 for index, address in enumerate(card.spec["vfs"])})
        self.devices.update({device_name(card.spec["address"]): whole_card(card.spec)
                             for card in hardware.cards if card.spec["isWhole"]})


class Mdev(fake.FakeMdevDevice):
    """In host.mdev_info.devices while active, in host.defined while defined."""

    def __init__(self, host, dev_name, type_id, parent, autostart=False):
        self.host, self.dev_name, self.type_id, self.parent = host, dev_name, type_id, parent
        self.autostart = autostart
        super().__init__(dev_name, type_id, parent)
        if HAS_PERSISTENT_MDEVS:  # libvirt tells the uuid from 7.3 on
            uuid = "<uuid>%s</uuid><iommuGroup" % utils.mdev_name2uuid(dev_name)
            self.xml = self.xml.replace("<iommuGroup", uuid)

    def name(self):
        return self.dev_name

    def isActive(self):
        return int(self.dev_name in self.host.mdev_info.devices)

    def create(self, flags=0):
        self.host.activate(self)
        return 0

    def setAutostart(self, autostart):
        self.autostart = bool(autostart)
        self.host.save()
        return 0
