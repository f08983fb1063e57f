"""What nova-compute makes of a folder of provider config at its start: traits by provider, or why it does not start."""
import json
import sys

from nova.compute import provider_config
from nova.exception import ProviderConfigException

try:
    found = provider_config.get_provider_configs(sys.argv[1])
    print(json.dumps({'traits': {name: each['traits']['additional'] for name, each in found.items()}}))
except ProviderConfigException as refused:
    print(json.dumps({'refused': str(refused)}))
