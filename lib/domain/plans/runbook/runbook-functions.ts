import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellProgram } from '@/lib/util/encode/shell'
import { D, HOST_FUNCTIONS } from './runbook-host-functions'

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
# unless_others SERVICE REASON: nobody else has disabled nova-compute there.
unless_others() {
  now=$(openstack compute service list --service nova-compute --host="$1" --long -f value -c Status -c 'Disabled Reason')
  case "$now" in
    enabled* | "disabled $2") ;;
    *) refuse "nova-compute of $1 is ${D}{now:-unknown to Nova}, and not by this change: ask who did that." ;;
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
    refuse "server $2 is still on $3: 'openstack server migration list --server $2' tells more."
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
      [ "$tries" -lt 12 ] || refuse "$name has $used in use: have the servers moved or deleted, then run this again."
      sleep 5
    done
  done
}
# test_boot NAME FLAVOR IMAGE NETWORK HOST REASON: a server on exactly this host; without one the host is closed again.
test_boot() {
  delete_test "$1"
  openstack --os-compute-api-version 2.74 server create --wait --flavor="$2" --image="$3" --nic="$4" --host="$5" -- "$1" >/dev/null || {
    openstack server show -f value -c fault -- "$1" >&2 || true
    delete_test "$1"
    close_host "$5" "${D}{6:-Sliceboard: test boot failed}"
    refuse "The test server did not come up on $5, which is closed again."
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
    [ "$tries" -lt 30 ] || refuse "$* offer $class $sum, $total are expected."
    sleep 10
  done
}
# named_traits NAME DROP KEEP: writes what the provider of this name has, without DROP, with KEEP. Nova may make it anew first.
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
