# Names, ports and folders of the lab; every script begins with it. Everything written at run time lies in $LAB_STATE.
LAB_HOME="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
PROJECT_ROOT="$(dirname "$LAB_HOME")"
LAB_RELEASE="${LAB_RELEASE:-zed}"
# The Nova release, Debian's suite with it (none: this system), the major version of its Nova, and the first port.
lab_releases='zed - 26 20000
2025.1 trixie 31 10000
2026.1 forky 33 12000
2026.2 sid 34 14000'
read -r _ LAB_SUITE LAB_NOVA_MAJOR lab_base <<< "$(awk -v name="$LAB_RELEASE" '$1 == name' <<< "$lab_releases")"
if [ -z "$lab_base" ]; then
  echo "lab: LAB_RELEASE is $LAB_RELEASE; it must be one of $(cut -d' ' -f1 <<< "$lab_releases" | paste -sd' ')." >&2
  exit 2
fi
lab_suffix="-$LAB_RELEASE"
LAB_ROOT="${LAB_ROOT:-$PROJECT_ROOT/.lab-$LAB_SUITE}"
if [ "$LAB_SUITE" = - ]; then lab_suffix='' LAB_ROOT=''; fi
if [ -n "${LAB_IS_INSIDE:-}" ]; then LAB_ROOT=''; fi # install.sh runs itself in that system
LAB_STATE="${LAB_STATE:-$PROJECT_ROOT/.lab$lab_suffix}"
LAB_SHARE="${LAB_SHARE:-$PROJECT_ROOT/.lab-share$lab_suffix}" # paste files out of packages that are not installed
GLANCE_LIBRARIES="$LAB_SHARE/glance/python"  # modules that Glance alone needs in another version
LAB_ADDRESS=127.0.0.1                      # loopback only
LAB_BASE_PORT="${LAB_BASE_PORT:-$lab_base}"   # all ports lie below those that the kernel hands out
LAB_HOSTS="${LAB_HOSTS:-gpu01 gpu02}"
LAB_WORKERS="${LAB_WORKERS:-1}"            # uWSGI processes per API: each loads its service for seconds
LAB_PASSWORD="${LAB_PASSWORD:-labpass}"    # of every account; the lab answers on the loopback alone
LAB_REGION=RegionOne
PYTHON=/usr/bin/python3                    # Debian's modules belong to Debian's Python

KEYSTONE_PORT=$((LAB_BASE_PORT + 5000))
PLACEMENT_PORT=$((LAB_BASE_PORT + 8778))
NOVA_PORT=$((LAB_BASE_PORT + 8774))
GLANCE_PORT=$((LAB_BASE_PORT + 9292))
NETWORK_PORT=$((LAB_BASE_PORT + 9696))
RABBIT_PORT=$((LAB_BASE_PORT + 5672))
RABBIT_DIST_PORT=$((LAB_BASE_PORT + 5673))
EPMD_PORT=$((LAB_BASE_PORT + 4369))
MARIADB_PORT=$((LAB_BASE_PORT + 3306))
KEYSTONE_URL="http://$LAB_ADDRESS:$KEYSTONE_PORT/v3"

# Before every command that is OpenStack's or its services': there they find their own system.
INSIDE=()
[ -z "$LAB_ROOT" ] || INSIDE=(chroot "$LAB_ROOT")

export LAB_RELEASE LAB_SUITE LAB_NOVA_MAJOR LAB_ROOT LAB_HOME LAB_STATE LAB_ADDRESS LAB_HOSTS LAB_PASSWORD LAB_REGION KEYSTONE_URL
export KEYSTONE_PORT PLACEMENT_PORT NOVA_PORT GLANCE_PORT NETWORK_PORT

fail() { # fail SENTENCE [CODE]
  echo "lab: $1" >&2
  exit "${2:-1}"
}

db_url() { # db_url NAME
  echo "mysql+pymysql://lab:$LAB_PASSWORD@$LAB_ADDRESS:$MARIADB_PORT/$1?charset=utf8"
}

version_of() { # version_of PACKAGE: as installed where the lab's services run, without Debian's epoch and revision
  "${INSIDE[@]}" dpkg-query -W -f='${source:Upstream-Version}' "$1" 2>/dev/null
}

# forky and sid are updated continuously. With another major version of Nova the release is skipped: exit 3.
need_nova_major() { # need_nova_major VERSION WHERE
  [ "${1%%.*}" = "$LAB_NOVA_MAJOR" ] && return 0
  fail "SKIPPED: $2 has Nova ${1:-none} and LAB_RELEASE=$LAB_RELEASE needs Nova $LAB_NOVA_MAJOR; last verified version: $(
    sed -n "s/^ *\"$LAB_RELEASE\": \"\(.*\)\".*/\1/p" "$LAB_HOME/verified-releases.json" | grep . || echo none)." 3
}
