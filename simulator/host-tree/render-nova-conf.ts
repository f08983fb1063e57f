import type { Deployment, HostSpec, NovaFileSpec, NovaSpec, NovaTypeSpec } from './host-spec'
import { addFile, type Tree } from './tree'

/** Stand in real nova.conf files and must never leave the host. */
export const NOVA_SECRETS = {
  serviceUser: 'svc-nova-hunter2',
  transport: 'rabbit-hunter2',
  neutron: 'neutron-hunter2',
} as const

const typeSection = (type: NovaTypeSpec, prefix: string): string[] => {
  const lines = [
    ...(type.addresses.length === 0 ? [] : [`device_addresses = ${type.addresses.join(',')}`]),
    ...(type.mdevClass === null ? [] : [`mdev_class = ${type.mdevClass}`]),
    ...(type.maxInstances === null ? [] : [`max_instances = ${type.maxInstances}`]),
  ]
  return lines.length === 0 ? [] : ['', `[${prefix}_${type.typeId}]`, ...lines]
}

/** `[devices]` and one section per type that has its own options. */
const vgpuLines = (nova: Pick<NovaSpec, 'types' | 'optionNames'>): string[] => {
  if (nova.types.length === 0) return []
  const isOld = nova.optionNames === 'old'
  return [
    '[devices]',
    `${isOld ? 'enabled_vgpu_types' : 'enabled_mdev_types'} = ${nova.types.map((type) => type.typeId).join(', ')}`,
    ...nova.types.flatMap((type) => typeSection(type, isOld ? 'vgpu' : 'mdev')),
    '',
  ]
}

const mainLines = (hostName: string): string[] => [
  '[DEFAULT]',
  `host = ${hostName}`,
  'compute_driver = libvirt.LibvirtDriver',
  `transport_url = rabbit://openstack:${NOVA_SECRETS.transport}@10.20.0.31:5672//`,
  'my_ip = 10.20.1.27',
  'reserved_host_memory_mb = 8192',
  '',
  '[keystone_authtoken]',
  'auth_url = https://keystone.paris.example:5000',
  'username = nova',
  `password = ${NOVA_SECRETS.serviceUser}`,
  '',
  '[neutron]',
  `password = ${NOVA_SECRETS.neutron}`,
  '',
]

const sectionLines = (sections: Record<string, string[]>): string[] =>
  Object.entries(sections).flatMap(([name, lines]) => [`[${name}]`, ...lines, ''])

const file = (path: string, lines: string[]): NovaFileSpec => ({
  path,
  text: `${lines.join('\n')}\n`,
})

const POD = '/var/lib/kubelet/pods/6f1d2c3e-8a4b-4c5d-9e6f-7a8b9c0d1e2f/volumes'

/** Main file and the file for what is special to compute nodes, as each deployment spreads them. */
const paths = (deployment: Deployment): { main: string; compute: string } => {
  switch (deployment) {
    case 'package':
      return { main: '/etc/nova/nova.conf', compute: '/etc/nova/nova-compute.conf' }
    case 'kolla':
      return { main: '/etc/kolla/nova-compute/nova.conf', compute: '/etc/kolla/nova-compute/nova.conf' }
    case 'openstack-helm':
      return {
        main: `${POD}/kubernetes.io~secret/nova-etc/nova.conf`,
        compute: `${POD}/kubernetes.io~empty-dir/pod-shared/nova-hypervisor.conf`,
      }
    case 'tripleo': {
      const at = '/var/lib/config-data/puppet-generated/nova_libvirt/etc/nova'
      return { main: `${at}/nova.conf`, compute: `${at}/nova.conf` }
    }
    case 'rhoso':
      return {
        main: '/var/lib/openstack/config/nova/01-nova.conf',
        compute: '/var/lib/openstack/config/nova/02-nova-host-specific.conf',
      }
    case 'snap': {
      const at = '/var/snap/openstack-hypervisor/common/etc/nova'
      return { main: `${at}/nova.conf`, compute: `${SNAP_FOLDER}/10-gpu.conf` }
    }
  }
}

const SNAP_FOLDER = '/var/snap/openstack-hypervisor/common/etc/nova/nova.conf.d'

/** Folders of which nova-compute reads every `*.conf`; Kolla's and openstack-helm's containers get none from the host. */
export const DROP_IN_FOLDERS: Record<Deployment, string[]> = {
  package: ['/etc/nova/nova.conf.d', '/etc/nova/nova-compute.conf.d'],
  kolla: [],
  'openstack-helm': [],
  tripleo: [],
  rhoso: ['/var/lib/openstack/config/nova'],
  snap: [SNAP_FOLDER],
}

/** The files of nova.conf with their complete text. */
export const novaConfFiles = (hostName: string, nova: NovaSpec): NovaFileSpec[] => {
  if (nova.files !== null) return nova.files
  const { main, compute } = paths(nova.deployment)
  const special = [...vgpuLines(nova), ...sectionLines(nova.sections)]
  if (main === compute) return [file(main, [...mainLines(hostName), ...special])]
  const ownLines = [
    '[DEFAULT]',
    'compute_driver = libvirt.LibvirtDriver',
    '',
    '[libvirt]',
    'virt_type = kvm',
    '',
  ]
  return [file(main, mainLines(hostName)), file(compute, [...ownLines, ...special])]
}

/** Debian's and Ubuntu's start script decides the order of the files, so its presence matters. */
export const renderNovaConf = (tree: Tree, spec: Pick<HostSpec, 'name' | 'nova' | 'system'>): void => {
  for (const { path, text } of novaConfFiles(spec.name, spec.nova)) addFile(tree, path, text, 0o640)
  const isDebian = ['ubuntu', 'debian'].includes(spec.system.osId)
  if (spec.nova.deployment === 'package' && isDebian) {
    addFile(tree, '/etc/init.d/nova-compute', '#!/bin/sh\n# Provides: nova-compute\n', 0o755)
  }
}
