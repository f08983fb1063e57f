import type { Deployment } from './host-spec'

/**
 * Where libvirt keeps live and persistent guest XML. Kolla: /run is the host's, /etc/libvirt/qemu is the Docker volume
 * `nova_libvirt_qemu` (kolla-ansible nova-cell defaults); the Sunbeam snap has its own tree.
 */
export const guestStateFiles = (deployment: Deployment): { live: string; persistent: string } => {
  switch (deployment) {
    case 'kolla':
      return { live: '/run/libvirt/qemu', persistent: '/var/lib/docker/volumes/nova_libvirt_qemu/_data' }
    case 'snap': {
      const common = '/var/snap/openstack-hypervisor/common'
      return { live: `${common}/run/libvirt/qemu`, persistent: `${common}/etc/libvirt/qemu` }
    }
    default:
      return { live: '/run/libvirt/qemu', persistent: '/etc/libvirt/qemu' }
  }
}
