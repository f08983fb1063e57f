import { vgpuReleaseLabel } from '@/lib/domain/vgpu-type/vgpu-release'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import type { NewServerStatus, ServerChoices } from '@/lib/schemas/api/create-server'
import { formatCount, formatMib } from '@/lib/util/format'

type Need = NonNullable<ServerChoices['quota']['items']>[number]

const QUOTA_LABELS: Readonly<Record<string, string>> = {
  servers: 'Servers',
  'class:VGPU': 'vGPUs',
  'class:VCPU': 'vCPUs',
  'class:PCPU': 'Dedicated CPUs',
  'class:MEMORY_MB': 'Memory',
  'class:DISK_GB': 'Disk',
}

/** The name of `class:CUSTOM_A40_4Q` for tenants. */
export const quotaLabel = (resourceName: string): string =>
  QUOTA_LABELS[resourceName] ?? resourceName.replace(/^class:(?:CUSTOM_)?/, '')

/** `64 GiB`, `8`. */
export const formatQuota = ({ resourceName }: Pick<Need, 'resourceName'>, amount: number): string => {
  if (resourceName === 'class:MEMORY_MB') return formatMib(amount)
  return resourceName === 'class:DISK_GB' ? `${formatCount(amount)} GiB` : formatCount(amount)
}

export const choiceLabel = ({ name, problem }: { name: string; problem: string | null }): string =>
  problem === null ? name : `${name} (${problem})`

/** Which guest driver an image needs. */
export const driverNote = ({ driverBranches }: Pick<CatalogFlavor, 'driverBranches'>): string =>
  driverBranches === null
    ? 'The image needs the guest driver of the card.'
    : `The image needs the NVIDIA guest driver of ${[...new Set(driverBranches.map(vgpuReleaseLabel))].join(' or ')}.`

/** What to do about a list that could not be read. */
export const typedNote = (problem: string | null, what: string): string =>
  `${problem ?? ''} Enter the name of the ${what} to complete the command.`.trim()

/** What became of a new server. `state` undefined: its status has not been read. */
export const newServerSentence = (name: string, state: NewServerStatus | undefined): string => {
  if (state === undefined || state.status === 'BUILD')
    return `Nova accepted the server ${name} and is building it.`
  if (state.status !== 'ERROR') return `The server ${name} has the status ${state.status}.`
  const fault = state.fault ?? 'Nova reports no reason'
  return fault.startsWith('No valid host')
    ? `The server ${name} failed: no host has capacity for it now. Delete it, and try again later or with another flavor.`
    : `The server ${name} failed: ${fault.replace(/\.$/, '')}. Delete it and try again.`
}

export const DASHBOARD_NAMES = { horizon: 'Horizon', skyline: 'Skyline' } as const

/** What a dashboard does with the flavor. */
export const dashboardNote = (kind: keyof typeof DASHBOARD_NAMES, flavor: string): string =>
  kind === 'skyline'
    ? 'Skyline opens the launch form with this flavor selected.'
    : `In Horizon, click Launch Instance and select the flavor ${flavor}.`
