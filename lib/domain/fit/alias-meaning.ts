import { readApiAliases } from '@/lib/domain/cloud/api-aliases'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { aliasMeaning } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import type { FlavorRequest } from './flavor-request'

/** What Nova's API understands by an alias. `missing`: the API refuses every server that requests it. */
export type AliasMeaning = { state: 'known'; entries: readonly PciAlias[]; because: null } | AliasProblem

type AliasProblem = { state: 'missing' | 'unknown'; because: string }

/** Per fleet: every host needs each alias of each flavor in a round. */
const remembered = new WeakMap<Fleet, Map<string, AliasMeaning>>()

const meaningsOf = (entries: readonly PciAlias[]): string =>
  [...new Set(entries.map(aliasMeaning))].toSorted().join('; ')

const readMeaning = (fleet: Fleet, name: string): AliasMeaning => {
  const api = readApiAliases(
    fleet.hosts.map(({ host }) => host),
    fleet.input.apiAliases ?? null,
  )
  if (api.because !== null)
    return {
      state: 'unknown',
      because: `only nova.conf of Nova's API defines which PCI devices the alias ${name} matches, and ${api.because}`,
    }
  const found = api.hosts.map(({ aliases }) => aliases.filter((alias) => alias.name === name))
  const [first = []] = found
  if (found.some((entries) => entries.length === 0))
    return { state: 'missing', because: `Nova's API has no PCI alias ${name}` }
  if (found.some((entries) => meaningsOf(entries) !== meaningsOf(first)))
    return {
      state: 'unknown',
      because: `hosts of Nova's API define the alias ${name} for different devices`,
    }
  return { state: 'known', entries: first, because: null }
}

/**
 * The devices that an alias of `pci_passthrough:alias` means, by `[pci] alias` of Nova's API; several entries of one name
 * are alternatives. Source: nova/pci/request.py _get_alias_from_config.
 */
export const meaningOfAlias = (fleet: Fleet, name: string): AliasMeaning => {
  const held = remembered.get(fleet) ?? new Map<string, AliasMeaning>()
  remembered.set(fleet, held)
  const meaning = held.get(name) ?? readMeaning(fleet, name)
  held.set(name, meaning)
  return meaning
}

/** Why a request can't be served or judged anywhere for its aliases; null: all of them are known. */
export const aliasProblem = (
  fleet: Fleet,
  { aliases }: Pick<FlavorRequest, 'aliases'>,
): AliasProblem | null => {
  if (aliases.length === 0) return null
  const problems = aliases
    .map(({ name }) => meaningOfAlias(fleet, name))
    .filter((meaning) => meaning.state !== 'known')
  return problems.find(({ state }) => state === 'missing') ?? problems[0] ?? null
}
