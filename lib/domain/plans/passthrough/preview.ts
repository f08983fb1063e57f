import { readApiAliases } from '@/lib/domain/cloud/api-aliases'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { HandedOut } from '@/lib/domain/cloud/handed-out'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { aliasOfEntry, pciText, specFor } from '@/lib/domain/cloud/pci-layout'
import { aliasView } from '@/lib/domain/findings/cloud/alias-view'
import type { PciOffer } from '@/lib/domain/nova-config/alias-takes'
import { unreadDropIn } from '@/lib/domain/nova-config/layout/drop-in-order'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { formatNoun } from '@/lib/util/format'
import { mapInSteps } from '@/lib/util/map-in-steps'
import { lostDropInOf } from '../host-steps/host-steps'
import { layoutText } from '../host-steps/layout-text'
import { aliasFlavors, countOfferingHosts, groupOffers } from '../host-steps/offered-devices'
import {
  type FlavorHosts,
  flavorHosts,
  limitChanges,
  type TypeCapacity,
  typeCapacities,
} from '../host-steps/preview'
import type { HostPreview } from '../host-steps/preview-host'
import type { PassthroughDraft, PassthroughInput } from './draft'
import { cardFunction, offerOf } from './pci-after'
import { WHOLE_CARD } from './whole-card'

/** A host without the providers of what is no longer sliced. */
const hostAfter = (draft: PassthroughDraft): JoinedHost => ({
  ...draft.joined,
  pgpus: draft.joined.pgpus.map((entry) =>
    draft.targets.some((target) => target.entry === entry) ? { ...entry, providers: [] } : entry,
  ),
})

type Offered = { host: string; offer: PciOffer }

const offeredAfter = (fleet: Fleet, drafts: readonly PassthroughDraft[]): Offered[] => {
  const draftOf = new Map(drafts.map((draft) => [draft.joined, draft]))
  const isTarget = ({ joined, pgpu }: HandedOut): boolean =>
    draftOf.get(joined)?.targets.some(({ entry }) => entry.pgpu.address === pgpu.address) === true
  const stillOffered = aliasView(fleet).devices.flatMap((device): Offered[] =>
    isTarget(device) ? [] : [{ host: device.joined.host.name, offer: device.offer }],
  )
  const gained = drafts.flatMap(({ joined, targets, pci, to }) =>
    to === 'sliced'
      ? []
      : targets.flatMap(({ entry }): Offered[] => {
          const spec = specFor(pci.after, cardFunction(entry))
          if (spec === null) return []
          const offer = offerOf(joined, entry, spec)
          return offer === null ? [] : [{ host: joined.host.name, offer }]
        }),
  )
  return [...stillOffered, ...gained]
}

/** Flavors that request an alias, and the hosts that offer its devices, before and after. */
function* aliasHosts(fleet: Fleet, drafts: readonly PassthroughDraft[]): Generator<void, FlavorHosts[]> {
  const { devices, ofComputes } = aliasView(fleet)
  yield
  const before = groupOffers(devices.map(({ joined, offer }) => ({ host: joined.host.name, offer })))
  yield
  const after = groupOffers(offeredAfter(fleet, drafts))
  yield
  const aliases: PciAlias[] = [
    ...readApiAliases(fleet.input.hosts, fleet.input.apiAliases ?? null).hosts.flatMap((api) => api.aliases),
    ...ofComputes.map(({ alias }) => alias),
    ...drafts.flatMap(({ pci }) => pci.after.aliases.flatMap(aliasOfEntry)),
  ]
  // Most hosts have the same aliases.
  const different = new Map(aliases.map((alias) => [JSON.stringify({ ...alias, source: '' }), alias]))
  const byName = groupBy([...different.values()], ({ name }) => name)
  yield
  return aliasFlavors(fleet, (name) => {
    const own = byName.get(name) ?? []
    return { before: countOfferingHosts(before, own), after: countOfferingHosts(after, own) }
  })
}

const capacitiesOf = (fleet: Fleet, drafts: readonly PassthroughDraft[], to: PassthroughInput['to']) => {
  const changed = drafts.reduce((sum, { targets }) => sum + targets.length, 0)
  const whole = fleet.hosts
    .flatMap(({ pgpus }) => pgpus)
    .filter(({ pgpu }) => pgpu.framework === 'passthrough')
    .reduce((sum, { pgpu }) => sum + (pgpu.numbers.capacity.value ?? 0), 0)
  const wanted = new Set(drafts.flatMap(({ targets }) => targets.map((target) => target.to.typeId)))
  const others = typeCapacities(fleet, drafts).filter(({ typeId }) => !wanted.has(typeId))
  const row: TypeCapacity = {
    typeId: WHOLE_CARD.typeId,
    typeName: WHOLE_CARD.shortName,
    before: whole,
    after: to === 'whole' ? whole + changed : whole - changed,
  }
  return [...others, row]
}

const added = (now: string, than: string): string[] => {
  const held = new Set(than.split('\n'))
  return now.split('\n').filter((line) => !held.has(line) && line !== '' && !line.startsWith('['))
}

const configOf = (draft: PassthroughDraft, when: 'before' | 'after'): string =>
  [layoutText(draft.types[when]), '', pciText(draft.pci[when])].join('\n')

/** One host of the plan as a person reads it. */
const previewHost = (draft: PassthroughDraft): HostPreview => {
  const { joined, targets } = draft
  const chosen = new Set(targets.map(({ entry }) => entry.pgpu.address))
  const [before, after] = [configOf(draft, 'before'), configOf(draft, 'after')]
  const [gone, come] = [added(before, after), added(after, before)]
  return {
    host: joined.host.name,
    deployment: joined.host.inventory.novaConfig?.deployment ?? 'given',
    pgpus: targets.map(({ entry: { pgpu }, to }) => ({
      address: pgpu.address,
      model: pgpu.model,
      fromTypeId: pgpu.currentType?.typeId ?? null,
      fromTypeName:
        pgpu.currentType?.shortName ?? (pgpu.framework === 'passthrough' ? WHOLE_CARD.shortName : null),
      capacityBefore: pgpu.numbers.capacity.value,
      used: pgpu.numbers.used.value,
      spare: pgpu.numbers.spare.value,
      orphan: pgpu.numbers.orphan.value,
      capacityAfter: to.maxInstance ?? 0,
    })),
    closedToo: joined.pgpus.flatMap(({ pgpu }) =>
      chosen.has(pgpu.address) || pgpu.framework === 'none' ? [] : [pgpu.address],
    ),
    isDisabledBefore: joined.service.value?.status === 'disabled',
    configBefore: before,
    configAfter: after,
    configNote: lostDropInOf(draft, unreadDropIn),
    configChanges: [
      ...(gone.length === 0 ? [] : [`removes ${formatNoun(gone.length, 'line')}`]),
      ...(come.length === 0 ? [] : [`adds ${formatNoun(come.length, 'line')}`]),
    ],
    traits: [],
  }
}

/** What the change means: capacity, hosts of flavors, quotas, nova.conf. */
export function* previewPassthrough(
  fleet: Fleet,
  drafts: readonly PassthroughDraft[],
  { to }: PassthroughInput,
) {
  const changed = new Map(drafts.map((draft) => [draft.joined, hostAfter(draft)] as const))
  const [first] = drafts
  const wanted = first?.targets[0]?.to ?? WHOLE_CARD
  const ofClasses = yield* flavorHosts(fleet, changed)
  const hosts = yield* mapInSteps(drafts, previewHost)
  const ofAliases = yield* aliasHosts(fleet, drafts)
  yield
  const limits = limitChanges(fleet, changed)
  yield
  return {
    toTypeId: wanted.typeId,
    toTypeName: wanted.shortName,
    capacities: capacitiesOf(fleet, drafts, to),
    hosts,
    flavors: [...ofClasses, ...ofAliases].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    limits,
  }
}
