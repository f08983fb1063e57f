"""What Nova makes of [pci]: the names of its aliases and the number of its device_specs, by Nova's own parsers."""
import json
import sys

import nova.conf
from nova.pci import request
from nova.pci import whitelist

CONF = nova.conf.CONF
CONF(sys.argv[1:], project='nova', version='lab', default_config_files=[], default_config_dirs=[])
aliases = request._get_alias_from_config()
specs = whitelist.Whitelist(CONF.pci.device_spec).specs

print(json.dumps({'aliases': sorted(aliases), 'devices': len(specs)}))
