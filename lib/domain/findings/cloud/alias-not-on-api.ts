import { aliasMeaning, aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import { listText } from '@/lib/domain/wording'
import { type AliasView, aliasView, type HostAlias } from './alias-view'
import { type Detected, type FleetDetector, hostReports, makeFinding } from './detector'

const CODE = 'alias-not-on-api'

/** API hosts that have no alias of that name. */
const lacking = ({ api }: AliasView, name: string): AliasView['api']['hosts'] =>
  api.hosts.filter(({ aliases }) => !aliases.some((alias) => alias.name === name))

const found = (view: AliasView, name: string, own: readonly HostAlias[]): Detected => {
  const without = lacking(view, name)
  const isAll = without.length === view.api.hosts.length
  const hosts = [...new Set(own.map(({ joined }) => joined.host.name))]
  const [first] = own
  return makeFinding({
    code: CODE,
    severity: 'error',
    subject: { kind: 'cloud' },
    part: name,
    sentence: `the PCI alias ${name} of ${listText(hosts)} is missing on ${isAll ? "Nova's API" : listText(without.map(({ host }) => host))}`,
    consequence: isAll
      ? `Nova's API refuses every flavor that requests ${name}: "PCI alias ${name} is not defined".`
      : `Nova's API refuses a flavor that requests ${name} if one of these hosts handles the request.`,
    nextStep: `Write the alias into [pci] of nova.conf on every host of Nova's API, and restart nova-api.${without.some(({ isEntered }) => isEntered) ? ' If the alias is already there, enter the aliases again in Settings, Cloud.' : ''}`,
    command: null,
    sourceToCorrect: 'nova.conf',
    evidence: [
      ...(first === undefined
        ? []
        : [hostReports(first.joined, 'nova.conf', `${first.alias.source}: ${aliasMeaning(first.alias)}`)]),
      ...without.map(({ host, seenAt }) => ({
        source: 'nova.conf' as const,
        reported: `${host}: no alias ${name}`,
        at: seenAt,
      })),
    ],
  })
}

/** An alias that takes a pGPU of its host and that a host of Nova's API does not have. */
export const aliasNotOnApi: FleetDetector = {
  code: CODE,
  title: "A PCI alias of compute hosts is missing on Nova's API",
  reference: {
    severities: ['error'],
    sources: ['nova.conf'],
    detection:
      "nova.conf of compute hosts and Nova's API hosts: an alias that matches a pGPU is missing on an API host.",
    consequence: "Nova's API refuses flavors that request the alias.",
    nextStep: "Write the alias into [pci] on every host of Nova's API, and restart nova-api.",
  },
  needs: [],
  detect: (fleet) => {
    const view = aliasView(fleet)
    const useful = view.ofComputes.filter(({ joined, alias }) =>
      view.devices.some((device) => device.joined === joined && aliasTakes(alias, device.offer) !== false),
    )
    if (useful.length === 0) return []
    if (view.api.because !== null)
      return [{ code: CODE, scope: { kind: 'cloud' }, because: view.api.because }]
    const names = [...new Set(useful.map(({ alias }) => alias.name))].toSorted()
    return names
      .filter((name) => lacking(view, name).length > 0)
      .map((name) =>
        found(
          view,
          name,
          useful.filter(({ alias }) => alias.name === name),
        ),
      )
  },
}
