import type { HostFacts, HostParts } from '@/lib/domain/host-findings/detector'
import {
  detectOnCard,
  detectOnHost,
  type FindingsByDetector,
  type HostScope,
  NO_FINDINGS,
  orderFindings,
} from '@/lib/domain/host-findings/registry'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import type { HostIndex } from './host-index'
import type { Since } from './host-reading'

/** The findings of a host, by what they come from and by the pGPU they are about; null stands for the host. */
export type HostFindings = {
  scopes: Record<HostScope, FindingsByDetector>
  /** In the order of the cards. */
  cards: readonly FindingsByDetector[]
  byPlace: ReadonlyMap<string | null, HostFinding[]>
}

type View = { host: HostParts; cards: readonly Card[]; index: HostIndex }

const NO_OWNERS: HostFacts['owners'] = new Map()

const ownersOf = (cards: readonly Card[]): HostFacts['owners'] => {
  const owners = new Map<string, Card>()
  for (const card of cards) {
    const { address, virtualFunctions } = card.facts.gpu
    owners.set(address, card)
    for (const vf of virtualFunctions) owners.set(vf.address, card)
  }
  return owners
}

/** What detectors of the layout look at of a card that is read again; its functions have not changed. */
const isSameOutline = (a: Card | undefined, b: Card | undefined): boolean =>
  a?.pgpu.framework === b?.pgpu.framework &&
  a?.pgpu.configuredType?.typeId === b?.pgpu.configuredType?.typeId &&
  a?.pgpu.configuredType?.source === b?.pgpu.configuredType?.source

/** Nothing was claimed twice or in vain before, and what came changes nothing of it. */
const areClaimsFine = ({ occupancy, mdevOf }: HostIndex, { last, change }: Since): boolean => {
  if (last.findings.scopes.claims.size > 0 || occupancy.isShared) return false
  if (change.mdevs.gone.some(({ uuid }) => occupancy.byMdev.has(uuid) && !mdevOf.has(uuid))) return false
  return change.guests.come.every((guest) => guest.mdevs.every(({ uuid }) => mdevOf.has(uuid)))
}

const areSameLists = ({ change: { mdevs, guests } }: Since): boolean =>
  mdevs.sources === null && guests.sources === null

const hasStayed = (scope: HostScope, { host, cards, index }: View, since: Since): boolean => {
  const { last, concern } = since
  switch (scope) {
    case 'config':
      return host.inventory.host === last.inventory.host
    case 'layout':
      return concern.cards.every((place) => isSameOutline(last.cards[place], cards[place]))
    case 'claims':
      return areSameLists(since) || areClaimsFine(index, since)
    case 'cards':
      return concern.cards.length === 0
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

/** The very ones of last time when they say the same. */
const readScopes = (view: View, since: Since | null): HostFindings['scopes'] => {
  let owners: HostFacts['owners'] | null = null
  const within = (scope: HostScope): FindingsByDetector => {
    if (since !== null && hasStayed(scope, view, since)) return since.last.findings.scopes[scope]
    if (scope === 'layout' || scope === 'claims') owners ??= ownersOf(view.cards)
    // Written out: Node 20 makes an object of a spread and more keys in the old generation.
    const { inventory, nova, novaGap, occupancy } = view.host
    const { cards } = view
    return detectOnHost(scope, { inventory, nova, novaGap, occupancy, cards, owners: owners ?? NO_OWNERS })
  }
  const last = since?.last.findings.scopes
  const cards = within('cards')
  const layout = within('layout')
  const claims = within('claims')
  const config = within('config')
  const isSame =
    cards === last?.cards && layout === last.layout && claims === last.claims && config === last.config
  return isSame ? last : { cards, layout, claims, config }
}

/** The very list of last time when it says the same. */
const readOfCards = ({ host, cards }: View, since: Since | null): readonly FindingsByDetector[] => {
  if (since === null) return cards.map((card) => detectOnCard(card, host))
  const last = since.last.findings.cards
  let own: FindingsByDetector[] | null = null
  for (const place of since.concern.cards) {
    const card = cards[place]
    const found = card === undefined ? NO_FINDINGS : detectOnCard(card, host)
    if (found === last[place]) continue
    own ??= [...last]
    own[place] = found
  }
  return own ?? last
}

/** Every finding of a host; those of parts that nothing concerns are taken from the last reading, null for a host read whole. */
export const readFindings = (view: View, since: Since | null): HostFindings => {
  const scopes = readScopes(view, since)
  const cards = readOfCards(view, since)
  const last = since?.last.findings
  if (scopes === last?.scopes && cards === last.cards) return last
  return { scopes, cards, byPlace: groupByPlace([...Object.values(scopes), ...cards]) }
}
