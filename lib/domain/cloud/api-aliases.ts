import type { PciScheduling } from '@/lib/domain/nova-config/alias-takes'
import { type PciAlias, readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import { pciFlag } from '@/lib/domain/nova-config/pci-flags'
import { actorLabel } from '@/lib/domain/wording'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { CloudHostFacts } from './fleet-types'

/** What one host of Nova's API takes for aliases. */
type ApiHost = {
  host: string
  /** Entered by a person, not reported by an agent. */
  isEntered: boolean
  aliases: readonly PciAlias[]
  /** `[filter_scheduler] pci_in_placement` as configured, in any release; null: not known. */
  isByPlacement: boolean | null
  /** The console's clock: up to when that held. */
  seenAt: string
}

/** The aliases of Nova's API. `because`: why they are not known for certain; null: every known API host reports. */
export type ApiAliases = { hosts: readonly ApiHost[]; because: string | null }

/** The command with which a person checks what no agent reports. */
export const API_ALIAS_CHECK = "grep -E '^(alias|pci_alias|pci_in_placement)' /etc/nova/nova.conf"

/** What an admin copied from nova.conf of Nova's API, for clouds where no agent can read it. */
export type EnteredAliases = {
  aliases: readonly PciAlias[]
  /** `[filter_scheduler] pci_in_placement`; null: the admin did not enter it. */
  isByPlacement: boolean | null
  /** As the audit names people. */
  by: string
  /** ISO 8601 UTC. */
  at: string
}

const NO_API_HOST =
  "no agent reports from a host of Nova's API: install an agent on a controller, or enter its aliases in Settings, Cloud"

const unread = ({ problems, host }: Inventory): string | null => {
  const files = new Set(host.novaApi?.files ?? [])
  return problems.find(({ source }) => files.has(source))?.source ?? null
}

type Speaker = Pick<CloudHostFacts, 'name' | 'inventory' | 'seenAt' | 'isSilent'>

const gapOf = ({ name, inventory, seenAt, isSilent }: Speaker): string | null => {
  if (isSilent) return `${name}, which runs Nova's API, has been silent since ${seenAt}`
  const file = unread(inventory)
  return file === null ? null : `${file} of ${name} could not be read`
}

/**
 * The aliases that agents on hosts of Nova's API report, and in which of these hosts an alias from the admin is missing.
 * The API refuses an alias that it does not have.
 */
export const readApiAliases = (hosts: readonly Speaker[], entered: EnteredAliases | null): ApiAliases => {
  const found = hosts.flatMap((speaker) => {
    const config = speaker.inventory.host.novaApi ?? null
    if (config === null) return []
    return [{ speaker, aliases: readPciAliases(config), isByPlacement: pciFlag(config, 'schedule', null) }]
  })
  const because =
    found.length === 0
      ? NO_API_HOST
      : (found.map(({ speaker }) => gapOf(speaker)).find((gap) => gap !== null) ?? null)
  const speaking = found.map(({ speaker, aliases, isByPlacement }) => ({
    host: speaker.name,
    isEntered: false,
    aliases,
    isByPlacement,
    seenAt: speaker.seenAt,
  }))
  if (because === null || entered === null) return { hosts: speaking, because }
  // The old aliases of a silent host must not appear next to newer ones.
  const current = found.flatMap(({ speaker }, index) =>
    gapOf(speaker) === null ? (speaking[index] ?? []) : [],
  )
  const byHand = {
    host: `Nova's API (aliases entered by ${actorLabel(entered.by)})`,
    isEntered: true,
    aliases: entered.aliases,
    isByPlacement: entered.isByPlacement,
    seenAt: entered.at,
  }
  return { hosts: [...current, byHand], because: null }
}

/** How Nova schedules aliases, by the hosts of its API; null: not known, or they differ. */
export const readPciScheduling = ({ hosts, because }: ApiAliases): PciScheduling | null => {
  const [first] = hosts
  if (because !== null || first === undefined || first.isByPlacement === null) return null
  if (hosts.some(({ isByPlacement }) => isByPlacement !== first.isByPlacement)) return null
  return first.isByPlacement ? 'placement' : 'ids'
}
