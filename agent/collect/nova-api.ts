import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { configFilesIn, existing } from './config-folder'
import type { HostFiles } from './host-files'
import { readNovaOptions } from './nova-config'
import type { ProblemLog } from './problem-log'

type NovaApi = Omit<NovaConfig, 'dropIn'>

/** The contract's bound. */
const MAX_FILES = 512

const KOLLA = '/etc/kolla/nova-api/nova.conf'
/** puppet-tripleo keeps the API's apart from nova-compute's, which is nova_libvirt. */
const TRIPLEO = '/var/lib/config-data/puppet-generated/nova/etc/nova'
const PODS = '/var/lib/kubelet/pods'

/** Of Debian's, Ubuntu's and RDO's packages and of DevStack: a host with one of these is meant to run Nova's API. */
const PACKAGE_SIGNS = [
  '/etc/init.d/nova-api',
  '/etc/init.d/nova-api-os-compute',
  '/lib/systemd/system/nova-api.service',
  '/usr/lib/systemd/system/nova-api.service',
  '/usr/lib/systemd/system/openstack-nova-api.service',
  '/etc/systemd/system/devstack@n-api.service',
]

/** oslo.config without options on the command line, for a program called nova-api. */
const programFiles = (folder: string, files: HostFiles): string[] => [
  ...existing([`${folder}/nova.conf`, `${folder}/nova-api.conf`], files),
  ...configFilesIn(`${folder}/nova.conf.d`, files),
  ...configFilesIn(`${folder}/nova-api.conf.d`, files),
]

const packageFiles = (files: HostFiles): string[] =>
  PACKAGE_SIGNS.some((sign) => files.exists(sign)) ? programFiles('/etc/nova', files) : []

/** The chart's deployment-api-osapi mounts nova-etc as nova.conf (nova/templates/deployment-api-osapi.yaml). */
const helmFiles = (files: HostFiles): string[] => {
  for (const pod of files.names(PODS) ?? []) {
    if (!files.exists(`${PODS}/${pod}/containers/nova-osapi`)) continue
    const etc = `${PODS}/${pod}/volumes/kubernetes.io~secret/nova-etc`
    const snippets = `${PODS}/${pod}/volumes/kubernetes.io~secret/nova-etc-snippets`
    const main = existing([`${etc}/nova.conf`], files)
    if (main.length > 0) return [...main, ...configFilesIn(snippets, files)]
  }
  return []
}

const SEARCH: { deployment: NovaConfig['deployment']; find: (files: HostFiles) => string[] }[] = [
  { deployment: 'kolla', find: (files) => existing([KOLLA], files) },
  { deployment: 'openstack-helm', find: helmFiles },
  { deployment: 'tripleo', find: (files) => programFiles(TRIPLEO, files) },
  { deployment: 'package', find: packageFiles },
]

/** The only reported option of `[workarounds]` is one of limits. */
const LIMITS = ['quota', 'oslo_limit', 'workarounds']

/** What flavors may request by alias and how aliases are scheduled, and whose limits hold: nothing else of the API's nova.conf leaves the host. */
const isOfApi = ({ section, name }: NovaConfig['options'][number]): boolean =>
  name === 'alias' ||
  name === 'pci_alias' ||
  (section.toLowerCase() === 'filter_scheduler' && name === 'pci_in_placement') ||
  LIMITS.includes(section.toLowerCase())

/**
 * The aliases of Nova's API and its limits' options where it runs on this host; null when it does not, or when none of its files could be read (the
 * problems then say so).
 */
export const collectNovaApi = ({
  files,
  problems,
}: {
  files: HostFiles
  problems: ProblemLog
}): NovaApi | null => {
  for (const { deployment, find } of SEARCH) {
    const found = find(files).slice(0, MAX_FILES)
    if (found.length === 0) continue
    const options = readNovaOptions(found, { files, problems })
    return options === null ? null : { deployment, files: found, options: options.filter(isOfApi) }
  }
  return null
}
