import type { Card, HostFacts } from '@/lib/domain/findings/detector'
import {
  detectWithin,
  type FindingsByDetector,
  NO_FINDINGS,
  orderFindings,
  type Scope,
} from '@/lib/domain/findings/registry'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Concern } from './concern'
import type { HostChange } from './host-change'
import type { HostIndex } from './host-index'

/** The findings of a host, by what they come from and by the pGPU they are about; null stands for the host. */
export type HostFindings = {
  scopes: Record<Exclude<Scope, 'card'>, FindingsByDetector>
  /** In the order of the cards. */
  cards: readonly FindingsByDetector[]
  byPlace: ReadonlyMap<string | null, HostFinding[]>
}

/** Of a host of which only some parts differ from the last inventory. */
export type Before = {
  inventory: Inventory
  cards: readonly Card[]
  findings: HostFindings
  change: HostChange
  concern: Concern
}

type View = Omit<HostFacts, 'owners'> & { index: HostIndex }

const functionAddresses = ({ facts: { gpu } }: Card): string[] => [
  gpu.address,
  ...gpu.virtualFunctions.map((vf) => vf.address),
]

const NO_OWNERS: HostFacts['owners'] = new Map()

const ownersOf = (cards: readonly Card[]): HostFacts['owners'] =>
  new Map(cards.flatMap((card) => functionAddresses(card).map((address) => [address, card])))

/** What detectors of the layout look at of a card that is read again; its functions have not changed. */
const isSameOutline = (a: Card | undefined, b: Card | undefined): boolean =>
  a?.pgpu.framework === b?.pgpu.framework &&
  a?.pgpu.configuredType?.typeId === b?.pgpu.configuredType?.typeId &&
  a?.pgpu.configuredType?.source === b?.pgpu.configuredType?.source

/** Nothing was claimed twice or in vain before, and what came changes nothing of it. */
const areClaimsFine = ({ occupancy, mdevOf }: HostIndex, { findings, change }: Before): boolean => {
  if (findings.scopes.claims.size > 0 || occupancy.isShared) return false
  if (change.mdevs.gone.some(({ uuid }) => occupancy.byMdev.has(uuid) && !mdevOf.has(uuid))) return false
  return change.guests.come.every((guest) => guest.mdevs.every(({ uuid }) => mdevOf.has(uuid)))
}

const areSameLists = ({ mdevs, guests }: HostChange): boolean =>
  mdevs.sources === null && guests.sources === null

const hasStayed = (scope: Exclude<Scope, 'card'>, view: View, before: Before): boolean => {
  const { inventory, change, concern } = before
  switch (scope) {
    case 'config':
      return view.inventory.host === inventory.host
    case 'layout':
      return [...concern.cards].every((place) => isSameOutline(before.cards[place], view.cards[place]))
    case 'claims':
      return areSameLists(change) || areClaimsFine(view.index, before)
    case 'cards':
      return concern.cards.size === 0
  }
}

const groupByPlace = (parts: readonly FindingsByDetector[]): HostFindings['byPlace'] => {
  const byPlace = new Map<string | null, HostFinding[]>()
  for (const { pgpuAddress, code, severity, sentence, detail } of orderFindings(parts)) {
    const finding = { code, severity, sentence, detail }
    const held = byPlace.get(pgpuAddress)
    if (held === undefined) byPlace.set(pgpuAddress, [finding])
    else held.push(finding)
  }
  return byPlace
}

/** Every finding of a host; those of parts that nothing concerns are taken from `before`, null for a host read whole. */
export const readFindings = (view: View, before: Before | null): HostFindings => {
  const { index: _index, ...alone } = view
  let owners: HostFacts['owners'] | null = null
  const within = (scope: Exclude<Scope, 'card'>): FindingsByDetector => {
    if (before !== null && hasStayed(scope, view, before)) return before.findings.scopes[scope]
    if (scope === 'layout' || scope === 'claims') owners ??= ownersOf(view.cards)
    return detectWithin(scope, { ...alone, owners: owners ?? NO_OWNERS })
  }
  const cards = view.cards.map((card, place) =>
    before === null || before.concern.cards.has(place)
      ? detectWithin('card', { ...alone, cards: [card], owners: NO_OWNERS })
      : (before.findings.cards[place] ?? NO_FINDINGS),
  )
  const scopes = {
    cards: within('cards'),
    layout: within('layout'),
    claims: within('claims'),
    config: within('config'),
  }
  const parts = [...Object.values(scopes), ...cards]
  const last = before === null ? [] : [...Object.values(before.findings.scopes), ...before.findings.cards]
  const isSame = before !== null && parts.every((part, place) => part === last[place])
  return { scopes, cards, byPlace: isSame ? before.findings.byPlace : groupByPlace(parts) }
}
