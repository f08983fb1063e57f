"""Names that Nova gives to classes and traits of PCI devices in Placement, by its own functions."""
import types

from nova.compute import pci_placement_translator as translator


def pci_names(question):
    """Whether a class keeps its name, the class, and traits."""
    device = types.SimpleNamespace(vendor_id=question["vendorId"], product_id=question["productId"])
    tags = {"resource_class": question["resourceClass"], "traits": question["traits"]}
    name = translator._get_rc_for_dev(device, tags)
    return [name == question["resourceClass"], name, sorted(translator._get_traits_for_dev(tags))]


FUNCTIONS = {"pci_names": pci_names}
