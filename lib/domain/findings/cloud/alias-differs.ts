import { aliasMeaning } from '@/lib/domain/nova-config/alias-takes'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { listText } from '@/lib/domain/wording'
import { type AliasView, aliasView, isAboutGpus } from './alias-view'
import { type Detected, type FleetDetector, makeFinding } from './detector'

const CODE = 'alias-differs'

type HostAliases = { host: string; seenAt: string; isApi: boolean; aliases: readonly PciAlias[] }

/** Each nova.conf with a current report: those of Nova's API first, because they decide about scheduling. */
const configsOf = ({ ofComputes, api }: AliasView, silentApi: ReadonlySet<string>): HostAliases[] => {
  const hosts = new Map<string, HostAliases & { aliases: PciAlias[] }>()
  for (const { joined, alias } of ofComputes) {
    const { name, seenAt } = joined.host
    const held = hosts.get(name)
    if (held === undefined) hosts.set(name, { host: name, seenAt, isApi: false, aliases: [alias] })
    else held.aliases.push(alias)
  }
  const ofApi = api.hosts
    .filter(({ host }) => !silentApi.has(host))
    .map(({ host, isEntered, seenAt, aliases }) => ({ host, seenAt, isApi: !isEntered, aliases }))
  return [...ofApi, ...hosts.values()]
}

/** All meanings of a name in one nova.conf: an alias can have several lines, and then matches the devices of each. */
const meaningOf = ({ aliases }: HostAliases, name: string): string =>
  [...new Set(aliases.filter((alias) => alias.name === name).map(aliasMeaning))].toSorted().join(' or ')

const found = (name: string, meanings: ReadonlyMap<string, readonly HostAliases[]>): Detected => {
  const words = [...meanings].map(([meaning, reporters]) => ({ meaning, reporters }))
  const isOneConfig = words.length === 1
  const wordsOfHosts = (reporters: readonly HostAliases[]): string =>
    listText([...new Set(reporters.map(({ host, isApi }) => (isApi ? `${host} (Nova's API)` : host)))])
  return makeFinding({
    code: CODE,
    severity: 'warning',
    subject: { kind: 'cloud' },
    part: name,
    sentence: `the PCI alias ${name} matches different devices: ${listText(words.map(({ meaning }) => meaning))}`,
    consequence: isOneConfig
      ? 'A server that requests the alias gets any of these devices.'
      : "Nova's API requests one device and a compute host searches for another. Servers fail late, or cannot be moved or resized.",
    nextStep: isOneConfig
      ? 'Give each kind of device a separate alias.'
      : 'Write the same alias on every host, or give each kind of device a separate alias.',
    command: null,
    sourceToCorrect: 'nova.conf',
    evidence: words.map(({ meaning, reporters }) => ({
      source: 'nova.conf' as const,
      reported: `${wordsOfHosts(reporters)}: ${meaning}`,
      at: reporters[0]?.seenAt ?? null,
    })),
  })
}

/** One name for different devices, on one host or on several. */
export const aliasDiffers: FleetDetector = {
  code: CODE,
  title: 'A PCI alias matches different devices',
  reference: {
    severities: ['warning'],
    sources: ['nova.conf'],
    detection:
      "nova.conf of compute hosts and Nova's API hosts: one alias name has different ids or device types.",
    consequence: 'Servers of the alias fail late, cannot be moved, or get either device.',
    nextStep: 'Write the same alias on every host, or give each kind of device a separate alias.',
  },
  needs: [],
  detect: (fleet) => {
    const view = aliasView(fleet)
    const silent = new Set(fleet.hosts.flatMap(({ host }) => (host.isSilent ? [host.name] : [])))
    const configs = configsOf(view, silent)
    const names = [
      ...new Set(
        configs.flatMap(({ aliases }) =>
          aliases.filter((alias) => isAboutGpus(view, alias)).map(({ name }) => name),
        ),
      ),
    ].toSorted()
    return names.flatMap((name): Detected[] => {
      const meanings = new Map<string, HostAliases[]>()
      for (const reporters of configs) {
        const meaning = meaningOf(reporters, name)
        if (meaning !== '') meanings.set(meaning, [...(meanings.get(meaning) ?? []), reporters])
      }
      const isAmbiguous =
        meanings.size > 1 || [...meanings.keys()].some((meaning) => meaning.includes(' or '))
      return isAmbiguous ? [found(name, meanings)] : []
    })
  },
}
