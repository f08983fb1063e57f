# The folder that is the system of another release (LAB_ROOT): what lies outside and is needed inside, under the same path.
is_mounted() { grep -qF " $(printf %s "$1" | sed 's/ /\\040/g') " /proc/self/mounts; }

mount_inside() { # mount_inside FOLDER
  mkdir -p "$1" "$LAB_ROOT$1"
  is_mounted "$LAB_ROOT$1" && return 0
  mount --bind "$1" "$LAB_ROOT$1" && mount --make-private "$LAB_ROOT$1"
}

enter_root() {
  [ -n "$LAB_ROOT" ] || return 0
  [ -e "$LAB_ROOT/.ready" ] || fail "Debian's $LAB_SUITE is not in $LAB_ROOT; run LAB_RELEASE=$LAB_RELEASE npm run lab:install." 3
  [ "$(id -u)" = 0 ] || fail "LAB_RELEASE=$LAB_RELEASE needs root: its services run in a folder of their own (chroot)."
  cp /etc/resolv.conf /etc/hosts /etc/hostname "$LAB_ROOT/etc/"
  is_mounted "$LAB_ROOT/proc" || mount -t proc proc "$LAB_ROOT/proc"
  mount_inside /dev
  is_mounted "$LAB_ROOT/dev/shm" || mount -t tmpfs -o mode=1777 tmpfs "$LAB_ROOT/dev/shm"
  mount_inside "$LAB_HOME"
  mount_inside "$LAB_STATE"
  mount_inside "$LAB_SHARE"
}

leave_root() {
  local at
  [ -n "$LAB_ROOT" ] || return 0
  for at in "$LAB_SHARE" "$LAB_STATE" "$LAB_HOME" /dev/shm /dev /proc; do
    is_mounted "$LAB_ROOT$at" || continue
    umount "$LAB_ROOT$at" 2>/dev/null || umount --lazy "$LAB_ROOT$at"
  done
}
