import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { configFilesIn, defaultFiles, defaultFolderFiles, existing } from './config-folder'
import type { HostFiles } from './host-files'
import { plainPath, runningNovaFiles } from './nova-process'

/** The files of nova.conf in the order in which oslo.config reads them, and where they were found. */
export type NovaFiles = Pick<NovaConfig, 'deployment' | 'files'>

const KOLLA = '/etc/kolla/nova-compute/nova.conf'
const TRIPLEO = '/var/lib/config-data/puppet-generated/nova_libvirt/etc/nova'
/** edpm-ansible roles/edpm_nova: `edpm_nova_config_dest`, and its place in early releases. */
const RHOSO = ['/var/lib/openstack/nova', '/var/lib/openstack/config/nova']
const SNAP = '/var/snap/openstack-hypervisor/common/etc/nova'
const PODS = '/var/lib/kubelet/pods'

/**
 * oslo.config without options on the command line (cfg.py find_config_files, _parse_config_files): nova.conf, then
 * nova-compute.conf, then the `.conf.d` folders of both; later files override. RDO ran this way; its nova-dist.conf, read
 * first before Xena and not at all since, sets none of the options that are reported.
 */
const defaultOrder = (folder: string, files: HostFiles): string[] => [
  ...defaultFiles(folder, files),
  ...defaultFolderFiles(folder, files),
]

/**
 * Debian's and Ubuntu's /etc/init.d/nova-compute, which the systemd unit calls too, names nova.conf and nova-compute.conf
 * with --config-file and no --config-dir. oslo.config reads the default folders before such files, so here the files
 * override the folders.
 */
const debianOrder = (files: HostFiles): string[] => [
  ...defaultFolderFiles('/etc/nova', files),
  ...defaultFiles('/etc/nova', files),
]

const packageFiles = (files: HostFiles): string[] =>
  files.exists('/etc/init.d/nova-compute') ? debianOrder(files) : defaultOrder('/etc/nova', files)

/** nova_compute.yaml of edpm-ansible: nova-blank.conf becomes nova.conf, every *nova*.conf goes to nova.conf.d. */
const rhosoFiles = (files: HostFiles): string[] => {
  for (const folder of RHOSO) {
    const found = configFilesIn(folder, files, /nova.*\.conf$/)
    if (found.length > 0) return found
  }
  return []
}

/** Volumes of kinds that can hold nova-etc; the secret is today's. */
const VOLUME_KINDS = ['secret', 'configmap', 'projected']

const volume = (pod: string, name: string, files: HostFiles): string | null => {
  const folders = VOLUME_KINDS.map((kind) => `${PODS}/${pod}/volumes/kubernetes.io~${kind}/${name}`)
  return folders.find((folder) => files.exists(folder)) ?? null
}

/** Written by the init containers, in the order of the chart's nova-compute.sh. */
const POD_FILES = ['nova-console', 'nova-libvirt', 'nova-compute-fqdn', 'nova-hypervisor']

/**
 * openstack-helm and MOSK: the chart mounts the secret nova-etc as nova.conf (key nova-compute.conf, formerly nova.conf)
 * and nova-etc-snippets as nova.conf.d (nova/templates/daemonset-compute.yaml, bin/_nova-compute.sh.tpl). Other nova pods
 * hold nova-etc too; nova-compute's has that container, or what its init containers leave.
 */
const helmFiles = (files: HostFiles): string[] => {
  for (const pod of files.names(PODS) ?? []) {
    const etc = volume(pod, 'nova-etc', files)
    if (etc === null) continue
    const shared = `${PODS}/${pod}/volumes/kubernetes.io~empty-dir/pod-shared`
    const own = existing(
      POD_FILES.map((name) => `${shared}/${name}.conf`),
      files,
    )
    if (own.length === 0 && !files.exists(`${PODS}/${pod}/containers/nova-compute`)) continue
    const main = existing([`${etc}/nova-compute.conf`, `${etc}/nova.conf`], files).slice(0, 1)
    const snippets = volume(pod, 'nova-etc-snippets', files)
    return [...main, ...own, ...(snippets === null ? [] : configFilesIn(snippets, files))]
  }
  return []
}

/** Named with --config-file and --config-dir (openstack_hypervisor/services.py). */
const snapFiles = (files: HostFiles): string[] => [
  ...existing([`${SNAP}/nova.conf`], files),
  ...configFilesIn(`${SNAP}/nova.conf.d`, files),
]

/** Containers before packages: a host that was moved to containers often keeps its old /etc/nova. */
const SEARCH: { deployment: NovaConfig['deployment']; find: (files: HostFiles) => string[] }[] = [
  { deployment: 'kolla', find: (files) => existing([KOLLA], files) },
  { deployment: 'openstack-helm', find: helmFiles },
  { deployment: 'rhoso', find: rhosoFiles },
  { deployment: 'tripleo', find: (files) => defaultOrder(TRIPLEO, files) },
  { deployment: 'snap', find: snapFiles },
  { deployment: 'package', find: packageFiles },
]

/** Files and folders given by `--nova-config`, a folder as oslo.config reads a config dir. */
const givenFiles = (given: readonly string[], files: HostFiles): string[] =>
  given.flatMap((written) => {
    const path = plainPath(written)
    const inside = configFilesIn(path, files)
    return inside.length > 0 ? inside : [path]
  })

/** Null when no deployment's nova.conf is here. */
export const findNovaFiles = (files: HostFiles, given: readonly string[] | undefined): NovaFiles | null => {
  if (given !== undefined) return { deployment: 'given', files: givenFiles(given, files) }
  const running = runningNovaFiles(files)
  if (running !== null) return { deployment: 'package', files: running }
  for (const { deployment, find } of SEARCH) {
    const found = find(files)
    if (found.length > 0) return { deployment, files: found }
  }
  return null
}
