"""What Nova makes of files, by its own parsers. A line of the input is a question, ["cpu"|"pci"|"provider"|"sections", ARGUMENT...];
the line of the output its answer, {"made": …} or {"refused": "…"}.

Nova is imported once, and each question has a fork of its own, since Nova keeps what it has read.
"""
import json
import os
import sys

from oslo_config import cfg

import nova.conf
from nova.compute import provider_config
from nova.pci import request
from nova.pci import whitelist
from nova.virt import hardware
from nova.virt.libvirt import driver

CONF = nova.conf.CONF


def read_files(arguments):
    CONF(arguments, project="nova", version="lab", default_config_files=[], default_config_dirs=[])


def text(cpus):
    return ",".join(str(cpu) for cpu in sorted(cpus)) if cpus else None


def read_cpu(*arguments):
    """The CPU options, refused where the libvirt driver refuses them."""
    read_files(arguments)
    driver.LibvirtDriver.__new__(driver.LibvirtDriver)._check_cpu_set_configuration()
    return {"shared": text(hardware.get_cpu_shared_set()), "dedicated": text(hardware.get_cpu_dedicated_set()),
            "pinSet": text(hardware.get_vcpu_pin_set()), "reservedCpus": CONF.reserved_host_cpus,
            "reservedMemoryMib": CONF.reserved_host_memory_mb}


# Nova 33 renamed it.
get_aliases = getattr(request, "get_alias_from_config", None) or request._get_alias_from_config


def read_pci(*arguments):
    """The names of the aliases of [pci] and the number of its device_specs."""
    read_files(arguments)
    return {"aliases": sorted(get_aliases()),
            "devices": len(whitelist.Whitelist(CONF.pci.device_spec).specs)}


def read_provider(folder):
    """Traits by provider of a folder of provider config, as nova-compute reads it at its start."""
    found = provider_config.get_provider_configs(folder)
    return {name: each["traits"]["additional"] for name, each in found.items()}


def read_sections(file):
    """The names of the options of each section of a file, as oslo.config reads it for Nova."""
    sections = {}
    cfg.ConfigParser(file, sections).parse()
    return {name: sorted(options) for name, options in sections.items()}


READERS = {"cpu": read_cpu, "pci": read_pci, "provider": read_provider, "sections": read_sections}

for line in sys.stdin:
    kind, *words = json.loads(line)
    pid = os.fork()
    if pid == 0:
        try:
            answer = {"made": READERS[kind](*words)}
        # Nova ends with SystemExit where it can not read a file.
        except (Exception, SystemExit) as refused:
            answer = {"refused": "%s: %s" % (type(refused).__name__, refused)}
        os.write(1, json.dumps(answer).encode() + b"\n")
        os._exit(0)
    os.waitpid(pid, 0)
