"""The fake libvirt connection of one host, written to hypervisor.json whenever it changes."""
import json
import os

from lxml import etree
from nova.tests.fixtures import libvirt as fake
from nova.virt.libvirt import utils

from devices import HAS_PERSISTENT_MDEVS, Mdev, Pool, address_of

# Debian 11's for Zed, Debian 13's for newer releases, which refuse libvirt below 8.0.0.
LIBVIRT_VERSION = 11003000 if HAS_PERSISTENT_MDEVS else 7000000
QEMU_VERSION = 10000002 if HAS_PERSISTENT_MDEVS else 5002000


def libvirt_error(message, code, domain=None):
    return fake.make_libvirtError(fake.libvirtError, message, error_code=code,
                                  error_domain=domain or fake.VIR_FROM_NODEDEV)


class Connection(fake.Connection):
    def __init__(self, name, folder, hardware, is_rebooted):
        super().__init__(
            "qemu:///system", hostname=name, version=LIBVIRT_VERSION, hv_version=QEMU_VERSION,
            host_info=fake.HostInfo(cpu_nodes=2, cpu_sockets=1, cpu_cores=max(hardware.cpus // 4, 1),
                                    cpu_threads=2, kB_mem=hardware.memory_mib * 1024))
        self.hardware, self.pci_info = hardware, Pool(self, hardware)
        self.path, self.saved, self.defined, self.is_loaded = os.path.join(folder, "hypervisor.json"), None, {}, False
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.load(json.load(file), is_rebooted)
        self.is_loaded = True
        self.save()

    def load(self, state, is_rebooted):
        for mdev in state["mdevs"]:
            comes_back = mdev["persistent"] and mdev["autostart"]
            made = Mdev(self, mdev["dev_name"], mdev["type_id"], mdev["parent"], mdev["autostart"])
            if comes_back if is_rebooted else mdev["active"]:
                self.mdev_info.devices[made.dev_name] = made
            if mdev["persistent"]:
                self.defined[made.dev_name] = made
        for guest in state["guests"]:
            domain = self.defineXML(guest["xml"])
            if guest["isRunning"] and not is_rebooted:
                domain.create()

    def save(self):
        if not self.is_loaded:
            return
        state = {
            "guests": [self.guest(domain) for domain in list(self._vms.values()) if not domain._transient],
            "mdevs": [{"dev_name": name, "uuid": utils.mdev_name2uuid(name), "type_id": mdev.type_id,
                       "parent": mdev.parent, "persistent": name in self.defined,
                       "autostart": mdev.autostart, "active": name in self.mdev_info.devices}
                      for name, mdev in {**self.defined, **self.mdev_info.devices}.items()]}
        text = json.dumps(state)
        if text == self.saved:
            return
        with open(self.path + ".new", "w") as file:
            file.write(text)
        os.rename(self.path + ".new", self.path)
        self.saved = text

    @staticmethod
    def guest(domain):
        tree = etree.fromstring(domain.lab_xml)
        mdevs = tree.findall(".//hostdev[@type='mdev']/source/address")
        devices = tree.findall(".//hostdev[@type='pci']/source/address")
        return {"uuid": domain.UUIDString(), "name": domain.name(),
                "isRunning": domain._state == fake.VIR_DOMAIN_RUNNING, "vcpus": int(tree.findtext("vcpu")),
                "memoryMib": int(tree.findtext("memory")) // 1024,
                "mdevs": [address.get("uuid") for address in mdevs],
                "pciDevices": [address_of(address) for address in devices], "xml": domain.lab_xml}

    # The memory in MiB, as libvirt's Python binding has it; Nova's fixture gives kB.
    def getInfo(self):
        info = super().getInfo()
        return [info[0], info[1] // 1024, *info[2:]]

    # Nova's fixture keeps parts of the XML only; the host's files need it as Nova wrote it.
    def defineXML(self, xml):
        domain = super().defineXML(xml)
        domain.lab_xml = xml if isinstance(xml, str) else xml.decode()
        self.save()
        return domain

    def activate(self, mdev):
        card = self.hardware.card_of(mdev.parent)
        others = list(self.mdev_info.devices.values())
        if card is None or mdev.type_id not in card.types or card.available(mdev.parent, mdev.type_id, others) < 1:
            raise libvirt_error("internal error: Unable to start mediated device: no %s left on %s"
                                % (mdev.type_id, mdev.parent), fake.VIR_ERR_INTERNAL_ERROR)
        self.mdev_info.devices[mdev.dev_name] = mdev
        self.save()

    def parse_mdev(self, xml):
        device = etree.fromstring(xml)
        parent, capability = device.findtext("parent"), device.find("capability")
        name = utils.mdev_uuid2name(capability.findtext("uuid")) + "_" + parent[len("pci_"):]
        return (self.mdev_info.devices.get(name) or self.defined.get(name) or
                Mdev(self, name, capability.find("type").get("id"), parent))

    def nodeDeviceCreateXML(self, xml, flags):
        mdev = self.parse_mdev(xml)
        self.activate(mdev)
        return mdev

    def nodeDeviceDefineXML(self, xml, flags):
        mdev = self.parse_mdev(xml)
        self.defined[mdev.dev_name] = mdev
        self.save()
        return mdev

    def listAllDevices(self, flags):
        if flags & getattr(fake, "VIR_CONNECT_LIST_NODE_DEVICES_CAP_MDEV", 0):
            is_inactive_only = flags & fake.VIR_CONNECT_LIST_NODE_DEVICES_INACTIVE
            return [mdev for mdev in self.defined.values() if not (is_inactive_only and mdev.isActive())]
        return super().listAllDevices(flags)

    def nodeDeviceLookupByName(self, name):
        if not name.startswith("mdev"):
            return super().nodeDeviceLookupByName(name)
        found = self.defined.get(name) or self.mdev_info.devices.get(name)
        if found is None:
            raise libvirt_error("no nodedev with matching name %s" % name, fake.VIR_ERR_NO_NODE_DEVICE)
        return found
