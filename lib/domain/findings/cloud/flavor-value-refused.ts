import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import type { SpecProblem } from '@/lib/domain/fit/extra-spec-problems'
import { aliasView } from './alias-view'
import type { FleetDetector } from './detector'
import { extraSpecFindings } from './extra-spec-finding'

const CODE = 'flavor-value-refused'

const KEY = 'pci_passthrough:alias'

const normalize = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '')

/**
 * Alias names that only differ in case, hyphens and underscores from an alias of Nova's API: Nova compares them exactly
 * (nova/pci/request.py, PciRequestAliasNotDefined). Other unknown names can be aliases that an admin has not entered.
 */
const misspelledAliases = (fleet: Fleet): ((flavor: Flavor) => SpecProblem[]) => {
  const { hosts, because } = aliasView(fleet).api
  const names = new Set(hosts.flatMap(({ aliases }) => aliases.map(({ name }) => name)))
  const similarTo = (name: string): string | undefined => {
    const similar = [...names].filter((known) => normalize(known) === normalize(name))
    return similar.length === 1 ? similar[0] : undefined
  }
  return ({ extraSpecs }) => {
    const value = extraSpecs[KEY]
    if (because !== null || value === undefined) return []
    const entries = value.split(',').map((entry) => {
      const [name = '', ...rest] = entry.split(':')
      const similar = names.has(name.trim()) ? undefined : similarTo(name.trim())
      return { name: name.trim(), similar, meant: [similar ?? name, ...rest].join(':') }
    })
    const first = entries.find(({ similar }) => similar !== undefined)
    if (first === undefined) return []
    return [
      {
        key: KEY,
        value,
        effect: 'refused',
        because: `Nova's API has no alias ${first.name}, only ${first.similar}`,
        instead: { key: KEY, value: entries.map(({ meant }) => meant).join(',') },
        isGuess: false,
      },
    ]
  }
}

/**
 * An alias entry without NAME:COUNT raises ValueError in nova/pci/request.py _translate_alias_to_requests (500), an unknown
 * NUMA policy raises InvalidPCINUMAAffinity in nova/virt/hardware.py (400).
 */
export const flavorValueRefused: FleetDetector = {
  code: CODE,
  title: 'Nova refuses every server of a flavor',
  reference: {
    severities: ['error'],
    sources: ['nova'],
    detection: 'Flavors: the value of an extra spec raises an error in Nova.',
    consequence: 'The Nova API answers each request for a server of the flavor with an error.',
    nextStep: 'Correct or remove the extra spec.',
  },
  needs: ['flavors'],
  detect: (fleet) =>
    extraSpecFindings(fleet, 'refused', {
      code: CODE,
      sentence: ({ key, value, because }, name) => `Nova refuses ${key}=${value} of ${name}: ${because}`,
      consequence: 'The Nova API answers each request for a server of this flavor with an error.',
      others: misspelledAliases(fleet),
    }),
}
