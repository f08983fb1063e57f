"""Reads nova.conf from standard input as Nova does, and prints option x and the names of all sections as JSON."""
import json
import sys
import tempfile

from oslo_config import cfg

with tempfile.NamedTemporaryFile('w', suffix='.conf', encoding='utf-8') as file:
    file.write(sys.stdin.buffer.read().decode('utf-8'))
    file.flush()
    conf = cfg.ConfigOpts()
    conf.register_opts([cfg.StrOpt('x'), cfg.MultiStrOpt('y'), cfg.ListOpt('z')], group='a')
    conf(['--config-file', file.name], project='nova')
    sections = {}
    cfg.ConfigParser(file.name, sections).parse()
    print(json.dumps({'x': conf.a.x, 'y': conf.a.y, 'z': conf.a.z, 'sections': sorted(sections)}))
