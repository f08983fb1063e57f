#!/usr/bin/env bash
# Installs the Debian packages that the lab needs; again and again without harm. Libraries only: the service packages
# (nova-api, keystone, …) ask debconf questions and start units, and the lab starts the programs itself.
# With LAB_RELEASE=2025.1 into a Debian 13 of their own below $LAB_ROOT. --client adds what bench:read compares with.
# Exit 3: the packages can't be had here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
. "$LAB_HOME/steps/root.sh"

packages=(python3-keystone python3-placement python3-nova python3-glance python3-keystoneclient python3-pymysql
  uwsgi-core uwsgi-plugin-python3 rabbitmq-server mariadb-server mariadb-client curl ca-certificates jq
  python3-fixtures python3-testtools python3-oslotest python3-testscenarios python3-testresources python3-ddt
  python3-wsgi-intercept python3-libvirt python3-lxml)
# What bench:read compares the console with.
case "${1:-}" in
  '') ;;
  --client) packages+=(python3-openstackclient python3-osc-placement) ;;
  *) fail "$1 is no option; there is --client." 2 ;;
esac
policy=/usr/sbin/policy-rc.d
# A dead mirror must not hold anybody up, and another apt-get at work is waited for.
apt_options=(-o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
  -o DPkg::Lock::Timeout=120)
last_error() { grep -E '^(E|Err|W):' "$log" | tail -n 1; }

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

make_debian13() {
  local mirror log="$LAB_ROOT.log" conf
  [ -e "$LAB_ROOT/.ready" ] && return 0
  [ "$(id -u)" = 0 ] || fail 'A folder with Debian 13 can only be made by root.' 3
  mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)"
  [ -n "$mirror" ] || fail 'apt-get knows no mirror to take Debian 13 from.' 3
  if ! command -v debootstrap >/dev/null; then
    { timeout 300 apt-get "${apt_options[@]}" update -q &&
      DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}" install -y --no-install-recommends debootstrap; } \
      > "$log" 2>&1 || fail "apt-get could not install debootstrap; see $log: $(last_error)" 3
  fi
  timeout 900 debootstrap --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    trixie "$LAB_ROOT" "$mirror" > "$log" 2>&1 || fail "debootstrap could not make a Debian 13; see $log: $(tail -n 1 "$log")" 3
  # As this machine's apt reaches its mirror, a proxy say.
  for conf in $(grep -ls '^Acquire' /etc/apt/apt.conf.d/*); do cp "$conf" "$LAB_ROOT/etc/apt/apt.conf.d/"; done
  touch "$LAB_ROOT/.ready"
}

if [ -n "$LAB_ROOT" ]; then
  log="$LAB_ROOT.log"
  make_debian13
  enter_root
  trap leave_root EXIT
  status=0
  env LAB_RELEASE=zed LAB_STATE="$LAB_STATE" LAB_SHARE="$LAB_SHARE" LAB_ROOT= "${INSIDE[@]}" \
    bash "$LAB_HOME/install.sh" "$@" || status=$?
  exit "$status"
fi

missing=()
for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" = 0 ] || fail "${#missing[@]} packages are missing; run npm run lab:install as root." 3
  export DEBIAN_FRONTEND=noninteractive
  mkdir -p "$LAB_STATE"
  log="$LAB_STATE/install.log"
  # A mirror that is only partly there still may have what is needed, so what counts is what can be downloaded.
  timeout 300 apt-get "${apt_options[@]}" update -q > "$log" 2>&1 || true
  for package in python3-keystone python3-placement python3-nova; do
    [ -n "$(apt-cache madison "$package")" ] ||
      fail "apt-get finds no $package: the mirror is out of reach, or this is neither Debian 12 nor 13; see $log: $(last_error)" 3
  done
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
echo 'lab: installed'
