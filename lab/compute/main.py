"""nova-compute with Nova's real libvirt driver over Nova's own fake libvirt. One process is one lab host.

Environment: LAB_HOST_NAME, LAB_HOST_FOLDER (hardware.json, hypervisor.json, incoming/, tree-writes/), and
LAB_REBOOTED=1 for a start as after a reboot of the host.
"""
import os
import sys

sys.argv[0] = "nova-compute"

from nova.cmd import compute  # noqa: E402  (patches eventlet in before anything else is imported)
import eventlet  # noqa: E402
from nova.tests.fixtures import libvirt as fake  # noqa: E402

from connection import Connection  # noqa: E402
from guests import migrate_from, take_incoming  # noqa: E402
from hardware import Hardware  # noqa: E402
from patches import install_connection, install_fixtures  # noqa: E402
from tree_writes import take_once, take_writes  # noqa: E402

NAME, FOLDER = os.environ["LAB_HOST_NAME"], os.environ["LAB_HOST_FOLDER"]
hardware = Hardware(FOLDER)
install_fixtures(hardware)
connection = Connection(NAME, FOLDER, hardware, os.environ.get("LAB_REBOOTED") == "1")
take_once(connection, FOLDER)
install_connection(connection)
fake.Domain.migrateToURI3 = migrate_from(FOLDER)
fake.Domain.abortJob = lambda domain: setattr(domain, "_job_type", fake.VIR_DOMAIN_JOB_CANCELLED)
eventlet.spawn(take_incoming, connection, FOLDER)
eventlet.spawn(take_writes, connection, FOLDER)
sys.exit(compute.main())
