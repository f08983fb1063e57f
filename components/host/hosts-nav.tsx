import { PartNav } from '@/components/shell/part-nav'
import {
  gpuHeadroomPath,
  hostsPath,
  migrationPath,
  removedHostsPath,
  vgpuActionsPath,
} from '@/lib/util/paths'

const parts = [
  { name: 'All hosts', path: hostsPath },
  { name: 'Live migration', path: migrationPath },
  { name: 'vGPU support', path: vgpuActionsPath },
  { name: 'Headroom for GPUs', path: gpuHeadroomPath },
  { name: 'Removed hosts', path: removedHostsPath },
] as const

/** The views of the hosts as a whole. */
export const HostsNav = () => <PartNav label="Hosts" parts={parts} />
