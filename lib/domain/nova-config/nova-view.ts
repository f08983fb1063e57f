import type { Inventory, NovaConfig } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import { assignTypes, type TypeAssignment } from './assign-types'
import { type DeviceSpecs, readDeviceSpecs } from './device-spec'
import { type MdevConfig, readMdevConfig } from './mdev-config'
import { effectiveMdev, type IgnoredOptions } from './mdev-rules'
import { computeRange, type NovaRange } from './nova-releases'
import { type AliasProblem, type PciAlias, readAliasProblems, readPciAliases } from './pci-alias'
import { pciFlag } from './pci-flags'

/**
 * nova.conf as nova-compute would read it. `gap` has the reason why it may be incomplete; null if it was read completely.
 */
export type NovaView = {
  /** The types as the release takes them. */
  mdev: MdevConfig
  ignored: readonly IgnoredOptions[]
  assignment: TypeAssignment
  deviceSpecs: DeviceSpecs
  aliases: readonly PciAlias[]
  /** Aliases that Nova refuses. */
  aliasProblems: readonly AliasProblem[]
  /** `[pci] report_in_placement`, in releases that have it. */
  isPciReported: boolean
  /** `[filter_scheduler] pci_in_placement`, in releases that have it. */
  isByPlacement: boolean
  gap: string | null
  /** The releases by whose rules it was read; null: those of the newest. */
  range: NovaRange | null
}

const CONFIG_PLACE =
  /(^|\/)nova[^/]*\.conf$|\/nova[^/]*\.conf\.d(\/|$)|\/nova(-compute)?\/[^/]*\.conf(\.d)?(\/|$)/

const readView = (inventory: Inventory, config: NovaConfig, range: NovaRange | null): NovaView => {
  const files = new Set(config.files)
  const unread = inventory.problems.filter(
    (problem) => files.has(problem.source) || CONFIG_PLACE.test(problem.source),
  )
  const { mdev, ignored } = effectiveMdev(readMdevConfig(config), range)
  return {
    mdev,
    ignored,
    assignment: assignTypes(mdev),
    deviceSpecs: readDeviceSpecs(config, range),
    aliases: readPciAliases(config),
    aliasProblems: readAliasProblems(config, range),
    isPciReported: pciFlag(config, 'report', range),
    isByPlacement: pciFlag(config, 'schedule', range),
    gap: unread[0] === undefined ? null : `${unread[0].source} could not be read`,
    range,
  }
}

/** A description, a reading round and a page read the same inventory by the rules of the same releases. */
const viewsOf = oncePer((_: Inventory) => new Map<string, NovaView>())

/** Which releases the nova-compute of a host may be. `cloud`: those of its cloud. */
export const rangeOf = ({ host }: Pick<Inventory, 'host'>, cloud: NovaRange | null): NovaRange | null =>
  computeRange(host.novaCompute?.version ?? null, cloud)

/** By the rules of a range of releases; null: those of the newest. Null when nova.conf could not be found or read at all. */
export const readNovaView = (inventory: Inventory, range: NovaRange | null = null): NovaView | null => {
  const config = inventory.novaConfig
  if (config === null) return null
  const views = viewsOf(inventory)
  const key = range === null ? '' : `${range.min} ${range.max}`
  const view = views.get(key) ?? readView(inventory, config, range)
  views.set(key, view)
  return view
}
