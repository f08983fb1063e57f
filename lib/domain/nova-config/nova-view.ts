import type { Inventory } from '@/lib/schemas/agent/inventory'
import { assignTypes, type TypeAssignment } from './assign-types'
import { type DeviceSpecs, readDeviceSpecs } from './device-spec'
import { type MdevConfig, readMdevConfig } from './mdev-config'
import { type PciAlias, readPciAliases } from './pci-alias'

/** nova.conf as nova-compute would take it. `gap` says why it may be incomplete; null when it was read whole. */
export type NovaView = {
  mdev: MdevConfig
  assignment: TypeAssignment
  deviceSpecs: DeviceSpecs
  aliases: readonly PciAlias[]
  gap: string | null
}

const CONFIG_PLACE =
  /(^|\/)nova[^/]*\.conf$|\/nova[^/]*\.conf\.d(\/|$)|\/nova(-compute)?\/[^/]*\.conf(\.d)?(\/|$)/

/** Null when nova.conf could not be found or read at all. */
export const readNovaView = (inventory: Inventory): NovaView | null => {
  const config = inventory.novaConfig
  if (config === null) return null
  const files = new Set(config.files)
  const unread = inventory.problems.filter(
    (problem) => files.has(problem.source) || CONFIG_PLACE.test(problem.source),
  )
  const mdev = readMdevConfig(config)
  return {
    mdev,
    assignment: assignTypes(mdev),
    deviceSpecs: readDeviceSpecs(config),
    aliases: readPciAliases(config),
    gap: unread[0] === undefined ? null : `${unread[0].source} could not be read`,
  }
}
