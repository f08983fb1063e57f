"""What nova-compute makes of its CPU options: by Nova's own parser, and refused where its libvirt driver refuses them."""
import json
import sys

import nova.conf
from nova.virt import hardware
from nova.virt.libvirt import driver

CONF = nova.conf.CONF
CONF(sys.argv[1:], project='nova', version='lab', default_config_files=[], default_config_dirs=[])
driver.LibvirtDriver.__new__(driver.LibvirtDriver)._check_cpu_set_configuration()


def text(cpus):
    return ','.join(str(cpu) for cpu in sorted(cpus)) if cpus else None


print(json.dumps({
    'shared': text(hardware.get_cpu_shared_set()),
    'dedicated': text(hardware.get_cpu_dedicated_set()),
    'pinSet': text(hardware.get_vcpu_pin_set()),
    'reservedCpus': CONF.reserved_host_cpus,
    'reservedMemoryMib': CONF.reserved_host_memory_mb,
}))
