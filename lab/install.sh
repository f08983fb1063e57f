#!/usr/bin/env bash
# Installs the Debian packages that the lab needs; again and again without harm. Libraries only: the service packages
# (nova-api, keystone, …) ask debconf questions and start units, and the lab starts the programs itself.
# Each release other than zed goes into a separate Debian below $LAB_ROOT. Exit 3: the packages are not available here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
. "$LAB_HOME/steps/root.sh"

packages=(python3-keystone python3-placement python3-nova python3-glance python3-keystoneclient python3-pymysql
  uwsgi-core uwsgi-plugin-python3 rabbitmq-server mariadb-server mariadb-client curl ca-certificates jq
  python3-fixtures python3-testtools python3-oslotest python3-testscenarios python3-testresources python3-ddt
  python3-wsgi-intercept python3-libvirt python3-lxml python3-openstackclient python3-osc-placement)
policy=/usr/sbin/policy-rc.d
# Fails soon if the mirror does not answer, and waits for another apt-get that is running.
apt_options=(-o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
  -o DPkg::Lock::Timeout=120)
last_error() { grep -E '^(E|Err|W):' "$log" | tail -n 1; }

candidate_of() { apt-cache policy "$1" | sed -n 's/^ *Candidate: \([0-9]*:\)\?\([0-9.]*\).*/\2/p'; }

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
has_policy=0
forbid_services() { # No package may start a service by itself.
  [ -e "$policy" ] && return 0
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod +x "$policy"
  has_policy=1
}
allow_services() { [ "$has_policy" = 0 ] || rm -f "$policy"; }
trap allow_services EXIT

command -v apt-get >/dev/null || fail 'The lab needs Debian and its apt-get; there is none here.' 3

# Copies apt's settings, such as a proxy, into the new system.
copy_apt_settings() {
  local conf
  for conf in $(grep -ls '^Acquire' /etc/apt/apt.conf.d/*); do cp "$conf" "$LAB_ROOT/etc/apt/apt.conf.d/"; done
}

# forky and sid have no Glance: trixie's is used where the suite has none.
add_trixie() { # add_trixie MIRROR
  [ "$LAB_SUITE" != trixie ] || return 0
  echo "deb $1 trixie main" > "$LAB_ROOT/etc/apt/sources.list.d/trixie.list"
  printf 'Package: *\nPin: release n=trixie\nPin-Priority: 100\n' > "$LAB_ROOT/etc/apt/preferences.d/trixie"
}

make_root() {
  local mirror script log="$LAB_ROOT.log" scripts=/usr/share/debootstrap/scripts
  [ -e "$LAB_ROOT/.ready" ] && return 0
  [ "$(id -u)" = 0 ] || fail "A folder with Debian's $LAB_SUITE can only be created by root." 3
  mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | head -n 1)"
  [ -n "$mirror" ] || fail "apt-get knows no mirror of Debian to take $LAB_SUITE from." 3
  if ! command -v debootstrap >/dev/null; then
    # Another apt-get may hold the lists: `update` does not wait for it, `install` does.
    timeout 300 apt-get "${apt_options[@]}" update -q > "$log" 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}" install -y --no-install-recommends debootstrap \
      >> "$log" 2>&1 || fail "apt-get could not install debootstrap; see $log: $(last_error)" 3
  fi
  # All suites from Debian 12 on share one script; an older debootstrap does not know the name of a newer suite.
  script="$scripts/$LAB_SUITE"
  [ -e "$script" ] || script="$scripts/sid"
  timeout 900 debootstrap --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    "$LAB_SUITE" "$LAB_ROOT" "$mirror" "$script" > "$log" 2>&1 ||
    fail "debootstrap could not create a Debian $LAB_SUITE; see $log: $(tail -n 1 "$log")" 3
  copy_apt_settings
  add_trixie "$mirror"
  touch "$LAB_ROOT/.ready"
}

if [ -n "$LAB_ROOT" ]; then
  log="$LAB_ROOT.log"
  make_root
  enter_root
  trap leave_root EXIT
  status=0
  env LAB_RELEASE="$LAB_RELEASE" LAB_STATE="$LAB_STATE" LAB_SHARE="$LAB_SHARE" LAB_IS_INSIDE=1 "${INSIDE[@]}" \
    bash "$LAB_HOME/install.sh" || status=$?
  exit "$status"
fi

missing=()
for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" = 0 ] || fail "${#missing[@]} packages are missing; run npm run lab:install as root." 3
  export DEBIAN_FRONTEND=noninteractive
  mkdir -p "$LAB_STATE"
  log="$LAB_STATE/install.log"
  # After an installation that was interrupted, apt-get downloads nothing before dpkg has finished it. Only in the folder of a
  # release: on this system another apt-get may be running.
  if [ -n "${LAB_IS_INSIDE:-}" ]; then
    forbid_services
    DEBIAN_FRONTEND=noninteractive dpkg --force-confold --configure -a > "$log" 2>&1 || true
  fi
  # A mirror that is only partly there still may have what is needed, so what counts is what can be downloaded.
  timeout 300 apt-get "${apt_options[@]}" update -q >> "$log" 2>&1 || true
  for package in python3-keystone python3-placement python3-nova; do
    [ -n "$(apt-cache madison "$package")" ] ||
      fail "apt-get finds no $package in ${LAB_SUITE/#-/this system}; see $log: $(last_error)" 3
  done
  is_installed python3-nova || need_nova_major "$(candidate_of python3-nova)" "Debian's ${LAB_SUITE/#-/own suite}"
  timeout 900 apt-get "${apt_options[@]}" install -y --no-install-recommends --download-only "${missing[@]}" \
    >> "$log" 2>&1 || fail "apt-get could not download the packages; see $log: $(last_error)" 3
  forbid_services
  apt-get "${apt_options[@]}" install -y --no-install-recommends -o Dpkg::Options::=--force-confold \
    "${missing[@]}" >> "$log" 2>&1 || fail "apt-get could not install the packages; see $log: $(last_error)"
fi

# The paste pipelines lie in service packages, which are unpacked and not installed.
if [ ! -s "$LAB_SHARE/nova/api-paste.ini" ] || [ ! -s "$LAB_SHARE/glance/glance-api-paste.ini" ]; then
  unpacked="$(mktemp -d)"
  (cd "$unpacked" && timeout 300 apt-get "${apt_options[@]}" download nova-common glance-common >/dev/null 2>&1 &&
    for file in *.deb; do dpkg-deb -x "$file" x; done) ||
    fail 'nova-common and glance-common could not be downloaded.' 3
  mkdir -p "$LAB_SHARE/nova" "$LAB_SHARE/glance"
  cp "$unpacked/x/usr/share/nova-common/api-paste.ini" "$LAB_SHARE/nova/"
  cp "$unpacked/x/usr/share/glance-common/glance-api-paste.ini" "$LAB_SHARE/glance/"
  rm -rf "$unpacked"
fi

# trixie's Glance does not run with the oslo.db of newer suites: it alone gets that of trixie.
if grep -qs 'oslo_db_session.EngineFacade' /usr/lib/python3/dist-packages/glance/db/sqlalchemy/api.py &&
  ! "$PYTHON" -c 'from oslo_db.sqlalchemy.session import EngineFacade' 2>/dev/null &&
  [ ! -d "$GLANCE_LIBRARIES/oslo_db" ]; then
  unpacked="$(mktemp -d)"
  (cd "$unpacked" && timeout 300 apt-get "${apt_options[@]}" download python3-oslo.db/trixie >/dev/null 2>&1 &&
    dpkg-deb -x python3-oslo.db_*.deb x) || fail "trixie's python3-oslo.db could not be downloaded." 3
  mkdir -p "$(dirname "$GLANCE_LIBRARIES")"
  cp -r "$unpacked/x/usr/lib/python3/dist-packages" "$GLANCE_LIBRARIES"
  rm -rf "$unpacked"
fi
echo 'lab: installed'
