/**
 * Where deployments keep libvirt's guest XML. /run is the host's own for packages, Kolla (bind mount of /run), openstack-helm
 * and MOSK, TripleO and RHOSO (bind mount of /run/libvirt). The persistent XML lies in /etc/libvirt/qemu but for
 * - Kolla: the volume `nova_libvirt_qemu` (kolla-ansible roles/nova-cell/defaults), Docker's or Podman's;
 * - the Sunbeam snap: libvirt is built with its own sysconfdir and localstatedir (snap/snapcraft.yaml).
 * All that exist are read: a guest that is overlooked would make its vGPU look unused.
 */
const SNAP = '/var/snap/openstack-hypervisor/common'

export const LIVE_FOLDERS = ['/run/libvirt/qemu', `${SNAP}/run/libvirt/qemu`] as const

export const PERSISTENT_FOLDERS = [
  '/var/lib/docker/volumes/nova_libvirt_qemu/_data',
  '/var/lib/containers/storage/volumes/nova_libvirt_qemu/_data',
  `${SNAP}/etc/libvirt/qemu`,
  '/etc/libvirt/qemu',
] as const
