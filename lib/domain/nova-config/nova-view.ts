import type { Inventory, NovaConfig } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import { assignTypes, type TypeAssignment } from './assign-types'
import { type DeviceSpecs, readDeviceSpecs } from './device-spec'
import { type ConfiguredType, type MdevConfig, readMdevConfig } from './mdev-config'
import { isNovaAddress } from './mdev-option-values'
import { computeRange, type NovaRange, type NovaRuleName, rangeHas } from './nova-releases'
import { type AliasProblem, type PciAlias, readAliasProblems, readPciAliases } from './pci-alias'
import { pciFlag } from './pci-flags'

/** Options of a type that the release of Nova does not use; `because` is a clause. */
type IgnoredOptions = {
  typeId: string
  options: ('device_addresses' | 'mdev_class' | 'max_instances' | 'type')[]
  /** What the releases that use them brought. */
  rule: NovaRuleName
  because: string
}

/** The mdev options as nova-compute of a release takes them, and what it ignores. */
type EffectiveMdev = { mdev: MdevConfig; ignored: IgnoredOptions[] }

const optionsOf = ({
  deviceAddresses,
  mdevClass,
  maxInstances,
}: ConfiguredType): IgnoredOptions['options'] => [
  ...(deviceAddresses.length === 0 ? [] : (['device_addresses'] as const)),
  ...(mdevClass === null ? [] : (['mdev_class'] as const)),
  ...(maxInstances === null ? [] : (['max_instances'] as const)),
]

const plain = (type: ConfiguredType): ConfiguredType => ({
  ...type,
  deviceAddresses: [],
  addressesSource: null,
  mdevClass: null,
  mdevClassSource: null,
  maxInstances: null,
  maxInstancesSource: null,
  invalid: [],
})

/** nova-compute checks the types in order, and does not start at the first invalid class, or address that is malformed or listed twice. */
const isRefusedBefore = (types: readonly ConfiguredType[], index: number): boolean => {
  const checked = types.slice(0, index)
  const addresses = checked.flatMap(({ deviceAddresses }) => deviceAddresses)
  return (
    new Set(addresses).size < addresses.length ||
    !addresses.every(isNovaAddress) ||
    checked.some(({ invalid }) => invalid.some(({ name }) => name === 'mdev_class'))
  )
}

/**
 * Nova 24 to 28: one enabled type is that of every card, because its group is not registered yet when the driver starts; of
 * several types one without addresses leaves only the first. Its class is VGPU. Source: nova/virt/libvirt/driver.py
 * _get_supported_vgpu_types of 26.2.
 */
const beforeTypesByAddress = (mdev: MdevConfig, range: NovaRange | null): EffectiveMdev => {
  const [first] = mdev.types
  if (first === undefined) return { mdev, ignored: [] }
  const bare = mdev.types.findIndex(({ deviceAddresses }) => deviceAddresses.length === 0)
  const isSingle = mdev.types.length === 1
  if (!isSingle && (bare < 0 || isRefusedBefore(mdev.types, bare))) return withoutOptions(mdev, range)
  const why = isSingle
    ? `${first.typeId} is the only enabled type, so every card has this type with the class VGPU`
    : `${mdev.types[bare]?.typeId} has no device_addresses, so only the first type, ${first.typeId}, is used on every card`
  const own = optionsOf(first)
  const rule = 'typesByAddress'
  return {
    mdev: { ...mdev, types: [plain(first)] },
    ignored: [
      ...(own.length === 0 ? [] : [{ typeId: first.typeId, options: own, rule, because: why } as const]),
      ...mdev.types
        .slice(1)
        .map(({ typeId }): IgnoredOptions => ({ typeId, options: ['type'], rule, because: why })),
    ],
  }
}

/** Options that came with later releases. */
const withoutOptions = (mdev: MdevConfig, range: NovaRange | null): EffectiveMdev => {
  const hasMax = rangeHas(range, 'maxInstances') !== false
  const hasClass = rangeHas(range, 'mdevClass') !== false
  if (hasMax && hasClass) return { mdev, ignored: [] }
  return {
    mdev: {
      ...mdev,
      types: mdev.types.map((type) => ({
        ...type,
        ...(hasMax ? {} : { maxInstances: null, maxInstancesSource: null }),
        ...(hasClass ? {} : { mdevClass: null, mdevClassSource: null }),
        invalid: type.invalid.filter(({ name }) => (name === 'mdev_class' ? hasClass : hasMax)),
      })),
    },
    ignored: mdev.types.flatMap(({ typeId, mdevClass, maxInstances }): IgnoredOptions[] => {
      const because = 'this release does not have the option'
      return [
        ...(hasClass || mdevClass === null
          ? []
          : [{ typeId, options: ['mdev_class' as const], rule: 'mdevClass' as const, because }]),
        ...(hasMax || maxInstances === null
          ? []
          : [{ typeId, options: ['max_instances' as const], rule: 'maxInstances' as const, because }]),
      ]
    }),
  }
}

/** The mdev options by the rules of a range of releases; null: those of the newest. */
export const effectiveMdev = (mdev: MdevConfig, range: NovaRange | null): EffectiveMdev =>
  rangeHas(range, 'typesByAddress') === false
    ? beforeTypesByAddress(mdev, range)
    : withoutOptions(mdev, range)

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

const CONFIG_LOCATION =
  /(^|\/)nova[^/]*\.conf$|\/nova[^/]*\.conf\.d(\/|$)|\/nova(-compute)?\/[^/]*\.conf(\.d)?(\/|$)/

const readView = (inventory: Inventory, config: NovaConfig, range: NovaRange | null): NovaView => {
  const files = new Set(config.files)
  const unread = inventory.problems.filter(
    (problem) => files.has(problem.source) || CONFIG_LOCATION.test(problem.source),
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
