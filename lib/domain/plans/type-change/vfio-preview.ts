import type { GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { type PciLayout, pciText } from '@/lib/domain/cloud/pci-layout'
import { emptyInventory } from '../host-steps/preview'
import { type HostPreview, outlineHost } from '../host-steps/preview-host'
import type { VfioDraft } from '../host-steps/vfio/vfio-draft'
import { unreadPciOf, vfioVerifyTasks } from '../host-steps/vfio/vfio-steps'

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
  return {
    ...outlineHost(
      joined,
      targets.map(({ entry, keep, set }) => ({ entry, capacityAfter: keep.length + set.length })),
    ),
    configBefore: pciText(before),
    configAfter: pciText(after),
    configNote: unreadPciOf(draft),
    configChanges: [...counted(added(before, after), 'removes'), ...counted(added(after, before), 'adds')],
    traits: [],
  }
}
