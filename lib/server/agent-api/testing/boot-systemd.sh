# Boots the systemd of this machine in namespaces of its own, on a copy of its root that is kept in memory: nothing of it reaches
# the machine, and all of it is gone when its first process is. $1: an empty folder; $2: a name for its control groups.
set -eu
base=$1 name=$2

# Where the control groups are of version 1, beside version 2 for systemd itself, and where they are of version 2 alone.
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then hierarchies=.; else hierarchies='systemd unified cpu cpuacct memory pids devices'; fi

if [ "${3:-}" != inside ]; then
  for one in $hierarchies; do
    mkdir -p "/sys/fs/cgroup/$one/$name"
    echo $$ >"/sys/fs/cgroup/$one/$name/cgroup.procs"
  done
  exec unshare --pid --fork --mount --uts --ipc --cgroup --kill-child sh "$0" "$base" "$name" inside
fi

mount --make-rprivate /
mount -t tmpfs tmpfs "$base"
mkdir "$base/upper" "$base/work" "$base/root"
root=$base/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
for folder in run tmp dev; do mount -t tmpfs tmpfs "$root/$folder"; done
if [ "$hierarchies" = . ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
  for one in $hierarchies; do
    mkdir "$root/sys/fs/cgroup/$one"
    case $one in
      systemd) mount -t cgroup -o none,name=systemd systemd "$root/sys/fs/cgroup/$one" ;;
      unified) mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/$one" ;;
      *) mount -t cgroup -o "$one" "$one" "$root/sys/fs/cgroup/$one" ;;
    esac
  done
fi
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" "$root/dev/pts"
ln -s /proc/self/fd "$root/dev/fd"

# None of the machine's own services, only what systemd itself needs.
rm -rf "$root"/etc/systemd/system/*.wants "$root/etc/systemd/system/default.target"
printf '[Unit]\nDescription=What a test needs\nWants=dbus.socket systemd-journald.service\n' \
  >"$root/etc/systemd/system/test.target"
exec chroot "$root" env -i container=lxc PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=test.target --log-target=null --show-status=0
