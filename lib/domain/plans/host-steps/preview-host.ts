import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { diffLayouts } from '@/lib/domain/nova-config/layout/diff-layouts'
import { lostDropInOf } from './host-steps'
import { layoutText } from './layout-text'
import {
  type FlavorHosts,
  type HostDraft,
  type LimitChange,
  movesAfter,
  movesOf,
  type TypeCapacity,
} from './preview'
import { mdevLayout } from './preview-configs'
import type { StuckServer } from './stuck-servers'

/** A pGPU's bar before and after. */
type PgpuBeforeAfter = {
  address: string
  model: string
  fromTypeId: string | null
  fromTypeName: string | null
  capacityBefore: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  capacityAfter: number
}

/** What the change means for one host. */
export type HostPreview = {
  host: string
  deployment: string
  pgpus: PgpuBeforeAfter[]
  /** pGPUs that keep their type but take nothing while the host is closed. */
  closedToo: string[]
  /** Nova had it disabled before: it stays so. */
  isDisabledBefore: boolean
  configBefore: string
  configAfter: string
  /** Why the host's agent should not write nova.conf although it may, and what to do; null: nothing prevents it. */
  configNote: string | null
  /** The changes of the options, as text. */
  configChanges: string[]
  traits: { name: string; off: string[]; on: string[]; foreign: string[] }[]
}

/** What a change of the type means for a host, however its cards are sliced; `capacityAfter` in vGPUs of the new type. */
export const outlineHost = (
  joined: JoinedHost,
  targets: readonly { entry: JoinedPgpu; capacityAfter: number }[],
): Pick<HostPreview, 'host' | 'deployment' | 'pgpus' | 'closedToo' | 'isDisabledBefore'> => {
  const chosen = new Set(targets.map(({ entry }) => entry.pgpu.address))
  return {
    host: joined.host.name,
    deployment: joined.host.inventory.novaConfig?.deployment ?? 'given',
    pgpus: targets.map(({ entry: { pgpu }, capacityAfter }) => ({
      address: pgpu.address,
      model: pgpu.model,
      fromTypeId: pgpu.currentType?.typeId ?? null,
      fromTypeName: pgpu.currentType?.shortName ?? null,
      capacityBefore: pgpu.numbers.capacity.value,
      used: pgpu.numbers.used.value,
      spare: pgpu.numbers.spare.value,
      orphan: pgpu.numbers.orphan.value,
      capacityAfter,
    })),
    closedToo: joined.pgpus.flatMap(({ pgpu }) =>
      chosen.has(pgpu.address) || pgpu.framework === 'none' ? [] : [pgpu.address],
    ),
    isDisabledBefore: joined.service.value?.status === 'disabled',
  }
}

/** One host of the plan as a person reads it. */
export const previewHost = (draft: HostDraft): HostPreview => {
  const { joined, before, after, targets } = draft
  const arriving = targets.flatMap((target) => movesAfter(draft, target)).filter(({ isNew }) => isNew)
  return {
    ...outlineHost(
      joined,
      targets.map(({ entry, to }) => ({ entry, capacityAfter: to.maxInstance ?? 0 })),
    ),
    configBefore: layoutText(before),
    configAfter: layoutText(after),
    configNote: lostDropInOf(draft),
    configChanges: diffLayouts(mdevLayout(joined.host.name, before), mdevLayout(joined.host.name, after)).map(
      ({ typeId, text }) => `${typeId}: ${text}`,
    ),
    traits: [...movesOf(draft), ...arriving].flatMap(({ name, move, isNew }) =>
      move.off.length + move.on.length + move.foreign.length === 0
        ? []
        : [{ name, ...move, ...(isNew ? { off: [] } : {}) }],
    ),
  }
}

/** What a change of the vGPU type would mean. */
export type TypeChangePreview = {
  toTypeId: string
  toTypeName: string
  capacities: TypeCapacity[]
  hosts: HostPreview[]
  servers: StuckServer[]
  flavors: FlavorHosts[]
  limits: LimitChange[]
  /** nova.conf of the hosts for each way of deploying it, the likely one first. */
  configs: DeploymentConfig[]
}
