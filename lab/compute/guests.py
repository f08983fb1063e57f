"""Live migration between the processes that play two hosts: the guest's XML is handed over as a file."""
import os
import time

from nova.tests.fixtures import libvirt as fake

from connection import LIBVIRT_VERSION, QEMU_VERSION, libvirt_error

CAN_MIGRATE_MDEVS = LIBVIRT_VERSION >= 8006000 and QEMU_VERSION >= 8001000


def migrate_from(folder):
    """Domain.migrateToURI3 of the host whose files lie in `folder`."""

    def migrate(domain, uri, params, flags):
        if "type='mdev'" in domain.XMLDesc(0) and not CAN_MIGRATE_MDEVS:
            raise libvirt_error("Requested operation is not valid: cannot migrate a domain with "
                                "<hostdev mode='subsystem' type='mdev'>", fake.VIR_ERR_OPERATION_INVALID,
                                fake.VIR_FROM_QEMU)
        target = uri.split("://", 1)[1].split("/", 1)[0].split(":")[0]
        path = os.path.join(os.path.dirname(folder), target, "incoming", domain.UUIDString())
        with open(path + ".new", "w") as file:
            file.write(params.get("destination_xml") or domain.lab_xml)
        os.rename(path + ".new", path + ".xml")
        for _ in range(200):
            time.sleep(0.1)
            if not os.path.exists(path + ".xml"):
                break
        domain.complete_job()
        domain.destroy()

    return migrate


def take_incoming(connection, folder):
    inbox = os.path.join(folder, "incoming")
    while True:
        time.sleep(0.3)
        for name in os.listdir(inbox):
            if not name.endswith(".xml"):
                continue
            with open(os.path.join(inbox, name)) as file:
                connection.defineXML(file.read()).create()
            os.unlink(os.path.join(inbox, name))
