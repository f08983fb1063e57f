import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellArguments, shellProgram } from '@/lib/util/encode/shell'

/** `$`, where a template would begin otherwise. */
const D = sh`$`

/** Where deployments keep guest XML: what agent/collect/guest-folders.ts reads. */
const GUEST_FOLDERS = shellArguments([
  '/run/libvirt/qemu',
  '/etc/libvirt/qemu',
  '/var/lib/docker/volumes/nova_libvirt_qemu/_data',
  '/var/lib/containers/storage/volumes/nova_libvirt_qemu/_data',
  '/var/snap/openstack-hypervisor/common/run/libvirt/qemu',
  '/var/snap/openstack-hypervisor/common/etc/libvirt/qemu',
])

/**
 * What is done on hosts, by the runbook's on_host, with refuse and quoted of the other functions. What on_host gets is read
 * by a second shell, on the host: each value in it has gone through quoted.
 */
const HOST_FUNCTIONS = shellProgram`# Folders of guest XML, live and persistent; those that a host does not have are skipped.
GUEST_XML="${D}{GUEST_XML:-${GUEST_FOLDERS}}"
# expect_offer HOST TYPE PARENT...: the driver can create the type on each parent.
expect_offer() {
  host=$1 type=$2
  shift 2
  for parent in "$@"; do
    left=$(on_host "$host" "cat $(quoted "/sys/class/mdev_bus/$parent/mdev_supported_types/$type/available_instances")")
    [ "${D}{left:-0}" -gt 0 ] || refuse "$host $parent creates no $type now: remove its mdevs and their definitions."
  done
}
# edit_nova_conf HOST: shows the options of standard input and waits until nova.conf has them.
edit_nova_conf() {
  say "Write this to nova.conf of $1, replacing the same options:"
  cat
  printf 'Press Enter when it is written. '
  read -r _ </dev/tty
}
edit_pci_conf() { edit_nova_conf "$@"; }
# refuse_held HOST TEXT: no guest names it, running or shut off.
refuse_held() {
  held=$(on_host "$1" "seen=; for at in $GUEST_XML; do if [ -d \$at ]; then seen=1; for file in \$at/*.xml; do if grep -qsF -e $(quoted "$2") \$file; then printf '%s\n' \$file; fi; done; fi; done; if [ -z \"\$seen\" ]; then echo 'unknown guests: list the folders of their XML in GUEST_XML'; fi")
  [ -z "$held" ] || refuse "$2 of $1 is used in $held"
}
# xml_of ADDRESS: a PCI device as guest XML names it.
xml_of() { say "$1" | sed "s|^\(.*\):\(..\):\(..\)\.\(.\)$|<address domain='0x\1' bus='0x\2' slot='0x\3' function='0x\4'/>|"; }
# remove_mdev HOST UUID PARENT [FILE]: destroys and undefines an mdev that no guest names. FILE: where it is defined.
remove_mdev() {
  refuse_held "$1" "$2"
  undefine="mdevctl undefine -u $(quoted "$2") -p $(quoted "$3")"
  [ -z "${D}{4:-}" ] || undefine="rm -f -- $(quoted "$4")"
  device=$(quoted "/sys/bus/mdev/devices/$2")
  on_host "$1" "if [ -e $device ]; then echo 1 > $device/remove; fi && if [ -e $(quoted "${D}{4:-/etc/mdevctl.d/$3/$2}") ]; then $undefine; fi"
}
# make_mdev HOST UUID PARENT TYPE active|inactive auto|manual|undefined [FILE]
make_mdev() {
  define="mdevctl define -u $(quoted "$2") -p $(quoted "$3") -t $(quoted "$4")"
  if [ "$6" = auto ]; then define="$define --auto"; fi
  if [ -n "${D}{7:-}" ]; then define="printf '{\"mdev_type\":\"%s\",\"start\":\"%s\",\"attrs\":[]}\n' $(quoted "$4") $(quoted "$6") > $(quoted "$7")"; fi
  if [ "$5" = active ]; then
    on_host "$1" "[ -e $(quoted "/sys/bus/mdev/devices/$2") ] || printf '%s\n' $(quoted "$2") > $(quoted "/sys/class/mdev_bus/$3/mdev_supported_types/$4/create")"
  fi
  if [ "$6" != undefined ]; then
    on_host "$1" "[ -e $(quoted "${D}{7:-/etc/mdevctl.d/$3/$2}") ] || $define"
  fi
}
# remove_spares HOST PARENT...: removes every mdev there, with its definition.
remove_spares() {
  host=$1
  shift
  for parent in "$@"; do
    spares=$(on_host "$host" "for at in $(quoted "/sys/class/mdev_bus/$parent")/*-*-*-*-*; do if [ -e \$at ]; then printf '%s\n' \"\${at##*/}\"; fi; done")
    for spare in $spares; do remove_mdev "$host" "$spare" "$parent"; done
  done
}
# set_vfio_type HOST VF WAS NEXT: writes the type of a VF that no guest names and that still has the named one.
set_vfio_type() {
  file=$(quoted "/sys/bus/pci/devices/$2/nvidia/current_vgpu_type")
  now=$(on_host "$1" "cat $file")
  if [ "$now" = "$4" ]; then return 0; fi
  [ "$now" = "$3" ] || refuse "$1 $2 has the type $now, but $3 at planning: plan again."
  xml=$(xml_of "$2")
  refuse_held "$1" "$xml"
  on_host "$1" "printf '%s\n' $(quoted "$4") > $file"
}
# expect_vfio_types HOST TYPE VF...: each VF carries the type.
expect_vfio_types() {
  host=$1 type=$2
  shift 2
  for vf in "$@"; do
    now=$(on_host "$host" "cat $(quoted "/sys/bus/pci/devices/$vf/nvidia/current_vgpu_type")")
    [ "$now" = "$type" ] || refuse "$host $vf has the type $now, $type is expected."
  done
}
# driver_of HOST ADDRESS: of a device; none means that it has no driver.
driver_of() {
  link=$(quoted "/sys/bus/pci/devices/$2/driver")
  on_host "$1" "if [ -e $link ]; then basename \"\$(readlink $link)\"; else echo none; fi"
}
# expect_driver HOST ADDRESS DRIVER: this driver has the device.
expect_driver() {
  now=$(driver_of "$1" "$2")
  [ "$now" = "$3" ] || refuse "$1 $2 is bound to $now, $3 is expected."
}
# bind_driver HOST ADDRESS WAS NEXT: binds a device that WAS drives and no guest names to NEXT.
bind_driver() {
  now=$(driver_of "$1" "$2")
  if [ "$now" = "$4" ]; then return 0; fi
  # A run that was interrupted left it without a driver.
  [ "$now" = "$3" ] || [ "$now" = none ] || refuse "$1 $2 is bound to $now, but $3 at planning: plan again."
  xml=$(xml_of "$2")
  refuse_held "$1" "$xml"
  at=$(quoted "/sys/bus/pci/devices/$2") next=$(quoted "$4") device=$(quoted "$2")
  if [ "$4" = none ]; then on_host "$1" "echo > $at/driver_override"; else on_host "$1" "modprobe -- $next && printf '%s\n' $next > $at/driver_override"; fi
  [ "$now" = none ] || on_host "$1" "printf '%s\n' $device > $at/driver/unbind"
  [ "$4" = none ] || on_host "$1" "printf '%s\n' $device > /sys/bus/pci/drivers_probe"
  expect_driver "$1" "$2" "$4"
}
# is_ours HOST FILE: it is not there, or the console wrote it.
is_ours() { on_host "$1" "[ ! -e $(quoted "$2") ] || head -n 1 -- $(quoted "$2") | grep -q '^# Written by Sliceboard'" </dev/null; }
# put_provider_config HOST FILE: writes standard input into it, unless another program wrote the file there.
put_provider_config() {
  is_ours "$1" "$2" || refuse "$2 of $1 was not written by Sliceboard: move it first."
  on_host "$1" "umask 022 && mkdir -p -- $(quoted "${D}{2%/*}") && cat > $(quoted "$2.new") && mv -- $(quoted "$2.new") $(quoted "$2")"
}
drop_provider_config() {
  is_ours "$1" "$2" || refuse "$2 of $1 was not written by Sliceboard, so it is not removed."
  on_host "$1" "rm -f -- $(quoted "$2")"
}
# switch_vfs HOST ADDRESS -e|-d: NVIDIA's script switches the VFs of a card on or off; a VF in use or a GPU instance stops it.
switch_vfs() {
  if [ "$3" = -d ]; then
    used=$(on_host "$1" "cd $(quoted "/sys/bus/pci/devices/$2") && for vf in virtfn*; do find \$vf/ -maxdepth 1 -name '*-*-*-*-*' 2>/dev/null; grep -v '^0\$' \$vf/nvidia/current_vgpu_type 2>/dev/null; done; true")
    [ -z "$used" ] || refuse "$1 $2 has VFs that are in use: $used"
  fi
  if [ "$3" = -e ]; then
    instances=$(on_host "$1" "nvidia-smi mig -lgi -i $(quoted "$2") 2>/dev/null | grep -cE 'MIG +[0-9]'; true")
    [ "$instances" = 0 ] || refuse "$1 $2 has $instances GPU instances, which sriov-manage removes: enable the VFs before they are created."
  fi
  on_host "$1" "/usr/lib/nvidia/sriov-manage $(quoted "$3") $(quoted "$2")"
}
# restart_nova HOST UNIT [USER_ID]: RESTART_NOVA is what to run there instead. USER_ID: a unit of that user. pod: of openstack-helm, from here.
restart_nova() {
  if [ -n "${D}{RESTART_NOVA:-}" ]; then
    on_host "$1" "$RESTART_NOVA"
  elif [ "${D}{2:-}" = pod ]; then
    kubectl -n openstack delete pod -l application=nova,component=compute --field-selector "spec.nodeName=$1"
  elif [ -n "${D}{3:-}" ]; then
    on_host "$1" "sudo -u $(quoted "#$3") $(quoted "XDG_RUNTIME_DIR=/run/user/$3") systemctl --user restart $(quoted "$2")"
  else
    on_host "$1" "systemctl restart $(quoted "${D}{2:-nova-compute}")"
  fi
}`

/**
 * What every script has. `say` and not echo: dash's echo reads \0033 in its arguments as an escape.
 */
export const BASE_FUNCTIONS = shellProgram`# say TEXT: prints it without control characters, since some of it comes from hosts.
say() { printf '%s\n' "$*" | LC_ALL=C tr -d '\000-\010\013-\037\177'; }
# quoted TEXT: one word for the shell of a host.
quoted() {
  case "$1" in
    '' | *[!A-Za-z0-9_./:@%+=-]*) printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/" ;;
    *) printf '%s\n' "$1" ;;
  esac
}`

/** Queries of Nova and Placement. */
const CLOUD_FUNCTIONS = shellProgram`uuid_of() { openstack resource provider list --name="$1" -f value -c uuid; }
refuse() { say "$*" >&2; exit 1; }
# unless_others SERVICE REASON: only this change has disabled nova-compute there.
unless_others() {
  now=$(openstack compute service list --service nova-compute --host="$1" --long -f value -c Status -c 'Disabled Reason')
  case "$now" in
    enabled* | "disabled $2") ;;
    *) refuse "nova-compute of $1 is ${D}{now:-unknown to Nova}, and not by this change: find out who did this." ;;
  esac
}
close_host() {
  unless_others "$1" "$2"
  openstack compute service set --disable --disable-reason="$2" -- "$1" nova-compute
}
open_host() {
  unless_others "$1" "$2"
  openstack compute service set --enable -- "$1" nova-compute
}
# is_on SERVER HOST: whether Nova has the server there.
is_on() {
  there=$(openstack server list --all-projects --host="$2" -f value -c ID) || exit 1
  printf '%s\n' "$there" | grep -qxF -e "$1"
}
# await_away SERVER HOST: until the server is deleted or elsewhere.
await_away() {
  while is_on "$1" "$2"; do
    say "server $1 is still on $2"
    sleep 30
  done
}
# move_server live|cold SERVER HOST: away from the host; one that has left stays where it went.
move_server() {
  if is_on "$2" "$3"; then
    if [ "$1" = live ]; then
      openstack --os-compute-api-version 2.30 server migrate --live-migration --wait "$2"
    else
      openstack server migrate --wait "$2"
    fi
  fi
  if [ "$1" = cold ]; then
    moved=$(openstack server list --all-projects --status VERIFY_RESIZE -f value -c ID)
    if printf '%s\n' "$moved" | grep -qxF -e "$2"; then openstack server migration confirm "$2"; fi
  fi
  if is_on "$2" "$3"; then
    refuse "server $2 is still on $3: see 'openstack server migration list --server $2'."
  fi
}
# expect_unused NAME...: nothing is allocated from these providers, within a minute: Nova frees them after a move.
expect_unused() {
  for name in "$@"; do
    uuid=$(uuid_of "$name")
    [ -n "$uuid" ] || continue
    tries=0
    while :; do
      usage=$(openstack resource provider usage show "$uuid" -f value -c usage)
      used=$(printf '%s\n' "$usage" | awk '{ sum += $1 } END { print sum + 0 }')
      if [ "$used" = 0 ]; then break; fi
      tries=$((tries + 1))
      [ "$tries" -lt 12 ] || refuse "$name has $used in use: migrate or delete the servers, then run this again."
      sleep 5
    done
  done
}
# test_boot NAME FLAVOR IMAGE NETWORK HOST REASON: a server on exactly this host; if it fails, scheduling is disabled again.
test_boot() {
  delete_test "$1"
  openstack --os-compute-api-version 2.74 server create --wait --flavor="$2" --image="$3" --nic="$4" --host="$5" -- "$1" >/dev/null || {
    openstack server show -f value -c fault -- "$1" >&2 || true
    delete_test "$1"
    close_host "$5" "${D}{6:-Sliceboard: test boot failed}"
    refuse "The test server did not start on $5. Scheduling is disabled there again."
  }
}
delete_test() {
  id=$(openstack server list --all-projects --name "^$1$" -f value -c ID)
  [ -z "$id" ] || openstack server delete --wait $id
}
# expect_total CLASS TOTAL NAME...: the providers offer so much in sum, within five minutes.
expect_total() {
  class=$1 total=$2 tries=0
  shift 2
  while :; do
    sum=0
    for name in "$@"; do
      uuid=$(uuid_of "$name")
      [ -n "$uuid" ] || continue
      offers=$(openstack resource provider inventory list "$uuid" -f value -c resource_class -c total)
      one=$(printf '%s\n' "$offers" | awk -v class="$class" '$1 == class { print $2 }')
      sum=$((sum + ${D}{one:-0}))
    done
    if [ "$sum" = "$total" ]; then return 0; fi
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || refuse "$* offer $class $sum; expected: $total."
    sleep 10
  done
}
# named_traits NAME DROP KEEP: writes what the provider of this name has, without DROP, with KEEP. Nova may recreate it first.
named_traits() {
  tries=0
  while :; do
    uuid=$(uuid_of "$1")
    if [ -n "$uuid" ]; then break; fi
    if [ -z "$3" ]; then return 0; fi
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || refuse "Placement has no provider $1."
    sleep 10
  done
  write_traits "$uuid" "$2" "$(printf '%s\n' $3)"
}
delete_provider() {
  uuid=$(uuid_of "$1")
  [ -z "$uuid" ] || openstack resource provider delete "$uuid"
}`

/**
 * The functions that the commands of changes on hosts call, for a POSIX shell, in addition to on_host and write_traits.
 * Each may run twice: what is already done is not repeated. A function that is called in a condition must return on its
 * own failures, because `set -e` has no effect there.
 */
const FUNCTIONS = sh`${CLOUD_FUNCTIONS}\n${HOST_FUNCTIONS}`

/** Whether a line begins with one of the functions. */
const NAMES = [...FUNCTIONS.matchAll(/^(\w+)\(\)/gm)].map(([, name]) => name)
const CALLS = new RegExp(`^(${NAMES.join('|')}) `, 'm')

/** The functions that these commands call; empty when they call none. */
export const typeChangeFunctions = (commands: readonly string[]): Encoded<'shell'> =>
  commands.some((command) => CALLS.test(command)) ? sh`${FUNCTIONS}\n` : sh``
