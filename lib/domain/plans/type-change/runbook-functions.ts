/**
 * What the commands of a type change call, for a POSIX shell, beside on_host and write_traits. NOVA_COMPUTE names the unit
 * where it is not nova-compute.
 */
const FUNCTIONS = String.raw`uuid_of() { openstack resource provider list --name "$1" -f value -c uuid; }
refuse() { echo "$*" >&2; exit 1; }
# await_away SERVER HOST: until the server is deleted or elsewhere.
await_away() {
  while :; do
    there=$(openstack server list --all-projects --host "$2" -f value -c ID)
    printf '%s\n' "$there" | grep -qx "$1" || return 0
    echo "server $1 is still on $2"
    sleep 30
  done
}
# expect_unused NAME...: nothing is allocated from these providers.
expect_unused() {
  for name in "$@"; do
    uuid=$(uuid_of "$name")
    [ -n "$uuid" ] || continue
    usage=$(openstack resource provider usage show "$uuid" -f value -c usage)
    used=$(printf '%s\n' "$usage" | awk '{ sum += $1 } END { print sum + 0 }')
    [ "$used" = 0 ] || refuse "$name has $used in use: have the servers moved or deleted, then run this again."
  done
}
# expect_offer HOST TYPE PARENT...: the driver would make the type on each parent.
expect_offer() {
  host=$1 type=$2
  shift 2
  for parent in "$@"; do
    left=$(on_host "$host" "cat /sys/class/mdev_bus/$parent/mdev_supported_types/$type/available_instances")
    [ "${'$'}{left:-0}" -gt 0 ] || refuse "$host $parent makes no $type now: remove its mdevs and their definitions."
  done
}
# edit_nova_conf HOST: shows the options of standard input and waits until they stand in nova.conf.
edit_nova_conf() {
  echo "Put this into nova.conf of $1, in place of the same options that it has:"
  cat
  printf 'Press Enter when it is there. '
  read -r _ </dev/tty
}
edit_pci_conf() { edit_nova_conf "$@"; }
# set_vfio_type HOST VF WAS NEXT: writes the type of a VF that still has the one that is named.
set_vfio_type() {
  file=/sys/bus/pci/devices/$2/nvidia/current_vgpu_type
  now=$(on_host "$1" "cat $file")
  [ "$now" = "$4" ] && return
  [ "$now" = "$3" ] || refuse "$1 $2 has the type $now, the plan saw $3: plan again."
  on_host "$1" "echo $4 > $file"
}
# expect_vfio_types HOST TYPE VF...: each VF carries the type.
expect_vfio_types() {
  host=$1 type=$2
  shift 2
  for vf in "$@"; do
    now=$(on_host "$host" "cat /sys/bus/pci/devices/$vf/nvidia/current_vgpu_type")
    [ "$now" = "$type" ] || refuse "$host $vf has the type $now, $type is expected."
  done
}
# remove_spares HOST PARENT...: removes every mdev there, with its definition.
remove_spares() {
  host=$1
  shift
  for parent in "$@"; do
    on_host "$host" "for at in /sys/class/mdev_bus/$parent/*-*-*-*-*; do [ -e \$at ] || continue; uuid=\${at##*/}; echo 1 > \$at/remove; mdevctl undefine -u \$uuid 2>/dev/null || true; done"
  done
}
# test_boot NAME FLAVOR IMAGE NETWORK HOST: a server on exactly this host, or nothing.
test_boot() {
  openstack --os-compute-api-version 2.74 server create --wait --flavor "$2" --image "$3" --nic "$4" --host "$5" "$1" >/dev/null || {
    openstack server show "$1" -f value -c fault >&2 || true
    delete_test "$1"
    refuse "The test server did not come up on $5: close it again."
  }
}
delete_test() {
  id=$(openstack server list --all-projects --name "^$1$" -f value -c ID)
  [ -z "$id" ] || openstack server delete --wait $id
}
# expect_driver HOST ADDRESS DRIVER: this driver has the device.
expect_driver() {
  now=$(on_host "$1" "basename \$(readlink /sys/bus/pci/devices/$2/driver) 2>/dev/null" || true)
  [ "$now" = "$3" ] || refuse "$1 $2 is bound to ${'$'}{now:-no driver}, $3 is expected."
}
# bind_driver HOST ADDRESS WAS NEXT: takes a device that WAS drives to NEXT; none stands for no driver.
bind_driver() {
  now=$(on_host "$1" "basename \$(readlink /sys/bus/pci/devices/$2/driver) 2>/dev/null" || true)
  now=${'$'}{now:-none}
  [ "$now" = "$4" ] && return
  [ "$now" = "$3" ] || refuse "$1 $2 is bound to $now, the plan saw $3: plan again."
  at=/sys/bus/pci/devices/$2
  if [ "$4" = none ]; then on_host "$1" "echo > $at/driver_override"; else on_host "$1" "modprobe $4; echo $4 > $at/driver_override"; fi
  [ "$now" = none ] || on_host "$1" "echo $2 > $at/driver/unbind"
  [ "$4" = none ] || on_host "$1" "echo $2 > /sys/bus/pci/drivers_probe"
}
# put_provider_config HOST FILE: writes standard input into it, unless the file there is another's.
put_provider_config() {
  on_host "$1" "[ ! -e $2 ] || head -n 1 $2 | grep -q '^# Written by Sliceboard'" </dev/null || refuse "$2 of $1 was not written by Sliceboard: move it away first."
  on_host "$1" "mkdir -p ${'$'}{2%/*} && cat > $2.new && mv $2.new $2"
}
drop_provider_config() {
  on_host "$1" "[ ! -e $2 ] || head -n 1 $2 | grep -q '^# Written by Sliceboard'" </dev/null || refuse "$2 of $1 was not written by Sliceboard: leave it."
  on_host "$1" "rm -f $2"
}
# switch_vfs HOST ADDRESS -e|-d: NVIDIA's script switches the VFs of a card on or off; what a VF carries stops it.
switch_vfs() {
  if [ "$3" = -d ]; then
    used=$(on_host "$1" "cd /sys/bus/pci/devices/$2 && for vf in virtfn*; do find \$vf/ -maxdepth 1 -name '*-*-*-*-*' 2>/dev/null; grep -v '^0\$' \$vf/nvidia/current_vgpu_type 2>/dev/null; done; true")
    [ -z "$used" ] || refuse "$1 $2 has VFs that are in use: $used"
  fi
  on_host "$1" "/usr/lib/nvidia/sriov-manage $3 $2"
}
restart_nova() { on_host "$1" "systemctl restart ${'$'}{NOVA_COMPUTE:-nova-compute}"; }
# expect_total CLASS TOTAL NAME...: the providers offer so much in sum, within five minutes.
expect_total() {
  class=$1 total=$2 tries=0
  shift 2
  while :; do
    sum=0
    for name in "$@"; do
      uuid=$(uuid_of "$name")
      [ -n "$uuid" ] || continue
      one=$(openstack resource provider inventory list "$uuid" -f value -c resource_class -c total | awk -v class="$class" '$1 == class { print $2 }')
      sum=$((sum + ${'$'}{one:-0}))
    done
    [ "$sum" = "$total" ] && return
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || refuse "$* offer $class $sum, $total are expected."
    sleep 10
  done
}
# named_traits NAME DROP KEEP: writes what the provider of this name has, without DROP, with KEEP.
named_traits() {
  uuid=$(uuid_of "$1")
  [ -n "$uuid" ] || refuse "Placement has no provider $1."
  write_traits "$uuid" "$2" "$(printf '%s\n' $3)"
}
delete_provider() {
  uuid=$(uuid_of "$1")
  [ -z "$uuid" ] || openstack resource provider delete "$uuid"
}`

const CALLS =
  /^(await_away|expect_\w+|edit_nova_conf|edit_pci_conf|put_provider_config|drop_provider_config|set_vfio_type|bind_driver|switch_vfs|remove_spares|test_boot|delete_test|restart_nova|named_traits|delete_provider) /m

/** The functions that these commands call; empty when they call none. */
export const typeChangeFunctions = (commands: readonly string[]): string =>
  commands.some((command) => CALLS.test(command)) ? `${FUNCTIONS}\n` : ''
