#!/bin/sh
# Installs, upgrades or removes the Sliceboard agent on a compute host. The console fills in the four values between double at signs.
# Everything is in functions and the last line starts them, so a download that was cut short does nothing.
set -eu

SERVER_URL='@@SERVER_URL@@'
AGENT_SHA256='@@AGENT_SHA256@@'
AGENT_VERSION='@@AGENT_VERSION@@'
UNIT=sliceboard-agent.service

usage() {
  cat <<'TEXT'
Usage: install.sh [--token-file FILE] [--server URL] [--hostname NAME] [--ca-file FILE] [--dry-run] [--prefix DIR]
       install.sh --uninstall [--purge] [--dry-run] [--prefix DIR]

  --token-file FILE  file that holds the join token, with mode 600; - reads it from standard input
  --token TOKEN      deprecated: the process list and the shell's history show it
  --server URL       address of the console, if this host uses another one
  --hostname NAME    name of this host in nova-compute, if it is not detected automatically
  --ca-file FILE     CA certificates (PEM) to verify the console's certificate
  --uninstall        stop and remove the agent; keep settings and state
  --purge            with --uninstall: also remove settings, credential and unsent reports
  --dry-run          print what would be done and change nothing
  --prefix DIR       put everything below DIR (for tests and image builds)

Without a join token, the script prompts for it, unless the host is already enrolled. It is not shown while you
type or paste it. The environment variable SLICEBOARD_TOKEN is also read.

Exit status: 0 on success, 1 on failure, 3 if the agent is installed and running, but the host is not enrolled yet;
the agent keeps trying.
TEXT
}

say() { printf '%s\n' "$*"; }
die() {
  printf 'sliceboard: %s\n' "$*" >&2
  exit 1
}
# Every step that changes something goes through here.
act() {
  if [ "$dry_run" = yes ]; then say "would run: $*"; else "$@"; fi
}
need_value() { [ "$2" -ge 2 ] || die "$1 needs a value; see --help."; }

parse_arguments() {
  token=${SLICEBOARD_TOKEN:-}
  token_file='' host_name='' ca_file='' prefix='' uninstall=no purge=no dry_run=no is_enrolled=yes token_argument=no
  while [ $# -gt 0 ]; do
    case $1 in
      --token) need_value "$1" $# && token=$2 && token_argument=yes && shift 2 ;;
      --token-file) need_value "$1" $# && token_file=$2 && shift 2 ;;
      --server) need_value "$1" $# && SERVER_URL=$2 && shift 2 ;;
      --hostname) need_value "$1" $# && host_name=$2 && shift 2 ;;
      --ca-file) need_value "$1" $# && ca_file=$2 && shift 2 ;;
      --prefix) need_value "$1" $# && prefix=$2 && shift 2 ;;
      --uninstall) uninstall=yes && shift ;;
      --purge) purge=yes && shift ;;
      --dry-run) dry_run=yes && shift ;;
      -h | --help) usage && exit 0 ;;
      *) die "\"$1\" is not an option of this script; see --help." ;;
    esac
  done
  [ "$purge" = no ] || [ "$uninstall" = yes ] || die '--purge requires --uninstall.'
}

# These values end up in a shell script's quotes and in a TOML string.
check_arguments() {
  SERVER_URL=${SERVER_URL%/}
  case $SERVER_URL in
    http://?* | https://?*) ;;
    *) die "--server \"$SERVER_URL\" must start with http:// or https://." ;;
  esac
  case ${SERVER_URL#*://} in
    *[!][A-Za-z0-9._~:/%-]*) die '--server has an invalid character; use the form https://NAME[:PORT].' ;;
  esac
  case $AGENT_SHA256 in
    *[!0-9a-f]*) die "this script was not filled in by a console; fetch it from the console's /install.sh." ;;
  esac
  if [ "$token_argument" = yes ]; then
    say 'Warning: --token is deprecated, because the process list and the history of the shell show it. Omit it and paste the join token when prompted, or use --token-file.' >&2
  fi
  if [ "$token_file" = - ]; then
    token=$(tr -d '[:space:]')
    [ -n "$token" ] || die '--token-file - found nothing on standard input. Save this script to a file first: curl -fsSL URL/install.sh -o install.sh, then: sh install.sh --token-file - <FILE.'
  elif [ -n "$token_file" ]; then
    [ -r "$token_file" ] || die "--token-file \"$token_file\" cannot be read."
    warn_open_file "$token_file"
    token=$(tr -d '[:space:]' <"$token_file")
  fi
  check_token
  case $host_name in
    *[!A-Za-z0-9._-]* | [._-]*) die "--hostname \"$host_name\" must be letters, digits, dots, dashes and underscores." ;;
  esac
  case $ca_file in
    '') ;;
    *\"* | *\\*) die '--ca-file must not contain quotes or backslashes.' ;;
    /*) [ -r "$ca_file" ] || die "--ca-file \"$ca_file\" cannot be read." ;;
    *) die "--ca-file \"$ca_file\" must be an absolute path." ;;
  esac
}

check_token() {
  case $token in
    *[!A-Za-z0-9._-]*) die 'the join token has an invalid character; copy it from the console again.' ;;
  esac
}

warn_open_file() {
  case $(ls -ldn "$1") in
    ????------*) ;;
    *) say "Warning: other users of this host can read $1; run: chmod 600 $1, and delete it after the host is enrolled." >&2 ;;
  esac
}

# From the terminal, because standard input is this script. What is typed is not shown, and is in no history.
ask_token() {
  [ -z "$token" ] && [ "$dry_run" = no ] || return 0
  [ ! -e "$state_dir/credential.json" ] && [ ! -e "$state_dir/join-token" ] || return 0
  (: </dev/tty >/dev/tty) 2>/dev/null || return 0
  saved=$(stty -g </dev/tty)
  trap 'stty "$saved" </dev/tty; exit 130' INT TERM HUP
  stty -echo </dev/tty
  say 'Join token (Settings, Agents in the console; it is not shown): ' >/dev/tty
  IFS= read -r token </dev/tty || token=''
  stty "$saved" </dev/tty
  trap - INT TERM HUP
  token=$(printf '%s' "$token" | tr -d '[:space:]')
  check_token
}

set_paths() {
  lib_dir=$prefix/usr/local/lib/sliceboard
  agent_path=$lib_dir/sliceboard-agent.mjs
  wrapper_path=$prefix/usr/local/bin/sliceboard-agent
  config_dir=$prefix/etc/sliceboard
  config_path=$config_dir/agent.toml
  state_dir=$prefix/var/lib/sliceboard
  unit_dir=$prefix/etc/systemd/system
}

check_root() {
  [ -n "$prefix" ] || [ "$dry_run" = yes ] || [ "$(id -u)" -eq 0 ] ||
    die 'the agent is installed system-wide: run this as root (put sudo before sh).'
}

systemctl_command=${SLICEBOARD_SYSTEMCTL:-systemctl}
has_systemd() { [ -d "$prefix/run/systemd/system" ] && command -v "$systemctl_command" >/dev/null 2>&1; }

# An image below a prefix may have this machine's /run in it, but its units are for its own first start.
is_image() { [ -n "$prefix" ] && [ -z "${SLICEBOARD_SYSTEMCTL:-}" ]; }
act_systemctl() { is_image || act "$systemctl_command" "$@"; }

find_node() {
  for name in node nodejs; do
    node_path=$(command -v "$name" 2>/dev/null) || continue
    major=$("$node_path" -p 'process.versions.node.split(".")[0]' 2>/dev/null) || continue
    if [ "$major" -ge 18 ] 2>/dev/null; then
      check_node_place
      return 0
    fi
    found="$name is version $("$node_path" --version)"
  done
  die "the agent needs Node.js 18 or newer (${found:-none was found}). Install it first, for example:
  Debian 12, Ubuntu 24.04 and newer:  apt-get install -y nodejs
  RHEL, Rocky and Alma 9:             dnf module install -y nodejs:20
  others:                             https://nodejs.org/en/download
and run the same line again."
}

# The unit hides home directories from the agent (ProtectHome), and with them a Node.js of nvm and the like.
check_node_place() {
  case $(readlink -f "$node_path") in
    /home/* | /root/*)
      [ -n "$prefix" ] || die "$node_path is in a home directory, which a system service cannot use; install Node.js system-wide, for example: apt-get install -y nodejs"
      ;;
  esac
}

download() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --connect-timeout 15 --retry 2 ${ca_file:+--cacert "$ca_file"} -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q --timeout=15 --tries=3 ${ca_file:+--ca-certificate="$ca_file"} -O "$2" "$1"
  else
    die 'neither curl nor wget was found; install one of them and run the same command again.'
  fi || die "$1 could not be downloaded; check that this host can reach the console."
}

sha256_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    "$node_path" -e 'const f=require("fs").readFileSync(process.argv[1]);console.log(require("crypto").createHash("sha256").update(f).digest("hex"))' "$1"
  fi
}

# Nothing on the host has changed until the agent is here, is the one that the console built, and starts.
fetch_agent() {
  work_dir=$(mktemp -d)
  trap 'rm -rf "$work_dir"' EXIT
  trap 'exit 130' INT TERM HUP
  download "$SERVER_URL/agent/sliceboard-agent.mjs" "$work_dir/sliceboard-agent.mjs"
  actual=$(sha256_of "$work_dir/sliceboard-agent.mjs")
  [ "$actual" = "$AGENT_SHA256" ] ||
    die "the downloaded agent has the checksum $actual instead of $AGENT_SHA256; nothing was installed. Run the command again, and if it fails again, ask the console's admin."
  "$node_path" "$work_dir/sliceboard-agent.mjs" version >/dev/null ||
    die 'the downloaded agent does not start with this Node.js; nothing was installed.'
}

# Writes standard input to a file in one step: $1 path, $2 mode.
put_file() {
  if [ "$dry_run" = yes ]; then
    cat >/dev/null
    say "would write: $1 (mode $2)"
    return
  fi
  (umask 077 && cat >"$1.new")
  chmod "$2" "$1.new"
  mv -f "$1.new" "$1"
}

install_agent() {
  act mkdir -p "$lib_dir" "$(dirname "$wrapper_path")"
  if [ "$dry_run" = yes ]; then
    say "would download: $SERVER_URL/agent/sliceboard-agent.mjs (SHA-256 $AGENT_SHA256)"
    say "would write: $agent_path (mode 644)"
  else
    put_file "$agent_path" 644 <"$work_dir/sliceboard-agent.mjs"
  fi
  put_file "$wrapper_path" 755 <<TEXT
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")
exec '$node_path' "\$here/../lib/sliceboard/sliceboard-agent.mjs" "\$@"
TEXT
}

# What stands in the settings wins over the options of a later run, and says so.
note_difference() {
  [ -z "$2" ] || grep -qxF "$1 = \"$2\"" "$config_path" ||
    say "Note: its $1 is not $2; edit the file to change it."
}

write_settings() {
  act mkdir -p "$config_dir"
  if [ -e "$config_path" ]; then
    say "Kept $config_path unchanged."
    note_difference server "$SERVER_URL"
    note_difference host_name "$host_name"
    note_difference ca_file "$ca_file"
    return
  fi
  {
    printf '# Settings of the Sliceboard agent. The install script writes this file once and never changes it.\n'
    printf 'server = "%s"\n' "$SERVER_URL"
    [ -z "$host_name" ] || printf 'host_name = "%s"\n' "$host_name"
    [ -z "$ca_file" ] || printf 'ca_file = "%s"\n' "$ca_file"
  } | put_file "$config_path" 644
}

# The token is read by the agent from a file that only root can read, and removed once the host is enrolled.
write_token() {
  act mkdir -p "$state_dir"
  act chmod 700 "$state_dir"
  act rm -f "$state_dir/enrollment-status"
  if [ -n "$token" ]; then
    printf '%s\n' "$token" | put_file "$state_dir/join-token" 600
  elif [ ! -e "$state_dir/credential.json" ]; then
    say 'Note: no join token was given and this host is not enrolled. Run the install command on a terminal, or with --token-file FILE.'
  fi
}

install_unit() {
  if ! has_systemd; then
    say "Note: this host does not run systemd. Let your init system run \"$wrapper_path run\" as root and restart it when it ends."
    return
  fi
  act mkdir -p "$unit_dir"
  put_file "$unit_dir/$UNIT" 644 <<'SERVICE_UNIT'
@@SERVICE_UNIT@@
SERVICE_UNIT
  if is_image; then
    act mkdir -p "$unit_dir/multi-user.target.wants"
    act ln -sf "../$UNIT" "$unit_dir/multi-user.target.wants/$UNIT"
    return
  fi
  act_systemctl daemon-reload
  act_systemctl enable --quiet "$UNIT"
  act_systemctl restart "$UNIT"
  [ "$dry_run" = yes ] || await_enrollment
}

await_enrollment() {
  [ -n "$token" ] || return 0
  tries=0
  while [ "$tries" -lt 15 ]; do
    if [ ! -e "$state_dir/join-token" ]; then
      say 'The host is enrolled and reports to the console.'
      return 0
    fi
    [ ! -s "$state_dir/enrollment-status" ] || break
    tries=$((tries + 1))
    sleep 1
  done
  is_enrolled=no
}

tell_refusal() {
  if [ -s "$state_dir/enrollment-status" ]; then
    say "The host is not enrolled yet. $(cat "$state_dir/enrollment-status")"
    say "The agent is running and keeps trying. To watch it: journalctl -f -u $UNIT"
    return 0
  fi
  say "The host is not enrolled yet. The agent is running and keeps trying. To see why: journalctl -u $UNIT"
  if command -v journalctl >/dev/null 2>&1; then
    journalctl -u "$UNIT" -n 3 -o cat --no-pager
  fi
} >&2

uninstall_agent() {
  if has_systemd && [ -e "$unit_dir/$UNIT" ]; then
    act_systemctl disable --quiet --now "$UNIT"
    act rm -f "$unit_dir/$UNIT" "$unit_dir/multi-user.target.wants/$UNIT"
    act_systemctl daemon-reload
  fi
  act rm -f "$wrapper_path"
  act rm -rf "$lib_dir"
  if [ "$purge" = yes ]; then
    act rm -rf "$config_dir" "$state_dir"
    say 'The agent, its settings and its state are removed. Revoke its credential in the console.'
  else
    say "The agent is removed. $config_dir and $state_dir are kept; --purge also removes them."
  fi
}

main() {
  parse_arguments "$@"
  set_paths
  check_root
  if [ "$uninstall" = yes ]; then
    uninstall_agent
    return
  fi
  check_arguments
  ask_token
  find_node
  [ "$dry_run" = yes ] || fetch_agent
  install_agent
  write_settings
  write_token
  install_unit
  [ "$dry_run" = yes ] || say "Sliceboard agent $AGENT_VERSION is installed for $SERVER_URL."
  if [ "$is_enrolled" = no ]; then
    tell_refusal
    exit 3
  fi
}

main "$@"
