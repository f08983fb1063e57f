#!/usr/bin/env bash
# Sets the lab up on first use and starts what is not running. LAB_HOSTS="gpu01 gpu02" names the compute hosts.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
for step in root process config database messages keystone placement glance nova computes; do
  . "$LAB_HOME/steps/$step.sh"
done

# The kernel's limit for the path of a socket is 107 bytes.
[ "$(printf %s "$LAB_STATE/run/mariadb.sock" | wc -c)" -le 107 ] && [[ "$LAB_STATE" != *[[:space:]\$%,\'\"]* ]] ||
  fail "LAB_STATE is $LAB_STATE; set it to a shorter path without spaces and without quotes, dollars, per cents and commas."
umask 077
enter_root
[ -s "$LAB_SHARE/nova/api-paste.ini" ] && "${INSIDE[@]}" "$PYTHON" -c 'import nova, keystone, placement, glance' 2>/dev/null ||
  fail "The packages are not installed; run LAB_RELEASE=$LAB_RELEASE npm run lab:install."
need_nova_major "$(version_of python3-nova)" "${LAB_ROOT:-this system}"
[ -d "$PROJECT_ROOT/node_modules/tsx" ] || fail 'The npm packages are not installed; run npm ci.'
mkdir -p "$LAB_STATE"/etc/{keystone,placement,nova,glance} "$LAB_STATE"/images/{store,staging,tasks} \
  "$LAB_STATE"/{log,pid,db,run,hosts}
began=$SECONDS
said() { echo "lab: $1 ($((SECONDS - began)) s)"; }

versions=''
for package in nova placement keystone glance oslo.limit mariadb-server rabbitmq-server uwsgi-core python3; do
  case "$package" in *-*|python3) from="$package" ;; *) from="python3-$package" ;; esac
  versions+="${versions:+, }$package $(version_of "$from")"
done
echo "lab: LAB_RELEASE=$LAB_RELEASE: $versions"

write_keystone_config
write_placement_config
write_glance_config
start_messages
start_database
start_keystone
said "Keystone answers at $KEYSTONE_URL"
write_nova_config
start_placement
start_glance
start_network
said 'Placement, Glance and the stand-in for Neutron answer'
start_nova
said 'Nova answers'
start_computes
said "nova-compute runs on $LAB_HOSTS"
"${INSIDE[@]}" "$PYTHON" "$LAB_HOME/services/contents.py"
said "flavors, traits and limits are there; clouds.yaml is $LAB_STATE/clouds.yaml"
