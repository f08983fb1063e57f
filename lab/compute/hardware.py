"""The cards of one lab host and what their driver would still make: the same rules as simulator/gpu-rules."""
import json
import os


def device_name(address):
    """libvirt's name of a PCI device: 0000:84:00.0 is pci_0000_84_00_0."""
    return "pci_" + address.replace(":", "_").replace(".", "_")


class Card:
    def __init__(self, spec):
        self.spec = spec
        self.slots = [device_name(address) for address in spec["slots"]]
        self.types = {each["typeId"]: each for each in spec["types"]}

    def available(self, slot, type_id, mdevs):
        """`available_instances` of a type at a slot, while `mdevs` exist on the host (equal-size mode)."""
        mine = [mdev for mdev in mdevs if mdev.parent in self.slots]
        wanted = self.types[type_id]
        if any(self.types[mdev.type_id]["framebufferMib"] != wanted["framebufferMib"] for mdev in mine):
            return 0
        room = max(0, wanted["maxInstance"] - len(mine))
        if not self.spec["isOnePerSlot"]:
            return room
        return 0 if any(mdev.parent == slot for mdev in mine) else min(1, room)


class Hardware:
    def __init__(self, folder):
        with open(os.path.join(folder, "hardware.json")) as file:
            spec = json.load(file)
        self.cpus, self.memory_mib, self.disk_gib = spec["cpus"], spec["memoryMib"], spec["diskGib"]
        self.cards = [Card(card) for card in spec["cards"]]

    def is_physical_function(self, domain, bus, slot, function):
        address = "%s:%s:%s.%s" % (domain, bus, slot, function)
        return any(card.spec["address"] == address and card.spec["hasSriov"] for card in self.cards)

    def card_of(self, slot):
        return next((card for card in self.cards if slot in card.slots), None)
