"""What was done in the host's tree: the watcher has checked it as the kernel would and hands it on as files, in order."""
import json
import os
import time

from nova.virt.libvirt import utils

from devices import Mdev
from hardware import device_name


def find(devices, uuid):
    return next((name for name in devices if name.startswith(utils.mdev_uuid2name(uuid))), None)


def perform(connection, write):
    active, defined, uuid = connection.mdev_info.devices, connection.defined, write["uuid"]
    if write["kind"] == "removed":
        active.pop(find(active, uuid), None)
    elif write["kind"] == "undefined":
        defined.pop(find(defined, uuid), None)
    else:
        name = find(active, uuid) or find(defined, uuid) or utils.mdev_uuid2name(uuid)
        is_defined = write["kind"] == "defined"
        mdev = active.get(name) or defined.get(name) or Mdev(
            connection, name, write["typeId"], device_name(write["slot"]), is_defined and write["isAuto"])
        if is_defined:
            mdev.autostart = write["isAuto"]
        (defined if is_defined else active)[name] = mdev


def take_once(connection, folder):
    inbox = os.path.join(folder, "tree-writes")
    for name in sorted(os.listdir(inbox)):
        if not name.endswith(".json"):
            continue
        path = os.path.join(inbox, name)
        with open(path) as file:
            perform(connection, json.load(file))
        connection.save()
        # Last: the watcher takes the state above as the newer one once the file is gone.
        os.unlink(path)


def take_writes(connection, folder):
    while True:
        time.sleep(0.3)
        take_once(connection, folder)
