import type { GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { emptyInventory } from '../preview'
import type { HostPreview } from '../preview-host'
import { type PciLayout, pciText } from './pci-layout'
import type { VfioDraft } from './vfio-draft'
import { unreadPciOf, vfioVerifyTasks } from './vfio-steps'

/** A host as Placement will have it. */
export const vfioHostAfter = (draft: VfioDraft): JoinedHost => {
  const expected = new Map(vfioVerifyTasks(draft).map((task) => [task.address, task]))
  const provider = (one: GpuProvider): GpuProvider => {
    const task = one.kind === 'pci' ? expected.get(one.address) : undefined
    if (task === undefined) return one
    const inventories = { [task.resourceClass]: emptyInventory(task.total) }
    return { ...one, provider: { ...one.provider, inventories } }
  }
  return {
    ...draft.joined,
    pgpus: draft.joined.pgpus.map((entry) => ({ ...entry, providers: entry.providers.map(provider) })),
  }
}

const added = (now: PciLayout, than: PciLayout): string[] => {
  const held = new Set(pciText(than).split('\n'))
  return pciText(now)
    .split('\n')
    .filter((line) => !held.has(line))
}

const counted = (lines: readonly string[], what: string): string[] => {
  const specs = lines.filter((line) => line.startsWith('device_spec')).length
  const aliases = lines.filter((line) => line.startsWith('alias')).length
  return [
    ...(specs === 0 ? [] : [`${what} ${specs} device_spec`]),
    ...(aliases === 0 ? [] : [`${what} ${aliases} alias`]),
  ]
}

/** One host of the plan as a person reads it. */
export const previewVfioHost = (draft: VfioDraft): HostPreview => {
  const { joined, before, after, targets } = draft
  const chosen = new Set(targets.map(({ entry }) => entry.pgpu.address))
  return {
    host: joined.host.name,
    deployment: joined.host.inventory.novaConfig?.deployment ?? 'given',
    pgpus: targets.map(({ entry: { pgpu }, keep, set }) => ({
      address: pgpu.address,
      model: pgpu.model,
      fromTypeId: pgpu.currentType?.typeId ?? null,
      fromTypeName: pgpu.currentType?.shortName ?? null,
      capacityBefore: pgpu.numbers.capacity.value,
      used: pgpu.numbers.used.value,
      spare: pgpu.numbers.spare.value,
      orphan: pgpu.numbers.orphan.value,
      capacityAfter: keep.length + set.length,
    })),
    closedToo: joined.pgpus.flatMap(({ pgpu }) =>
      chosen.has(pgpu.address) || pgpu.framework === 'none' ? [] : [pgpu.address],
    ),
    isDisabledBefore: joined.service.value?.status === 'disabled',
    configBefore: pciText(before),
    configAfter: pciText(after),
    configNote: unreadPciOf(draft),
    configChanges: [...counted(added(before, after), 'takes out'), ...counted(added(after, before), 'adds')],
    traits: [],
  }
}
