import type { GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import type { Known } from '@/lib/domain/pgpu/types'
import { oncePer } from '@/lib/util/once-per'
import type { FitBin, FitProblem, FitSlot } from './count-fits'
import type { FlavorRequest, ResourceGroup } from './flavor-request'
import { freeForNova } from './free-for-nova'

const PLAIN = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'])

/** What a slot asks of one provider, with the traits of its group. */
export type SlotNeed = {
  suffix: string
  amounts: Readonly<Record<string, number>>
  required: readonly string[]
  forbidden: readonly string[]
}

/**
 * The parts of a request that providers other than the compute node serve: each numbered group as one part, and each
 * class of the unnumbered group as a separate part. A numbered group of only CPU, memory and disk belongs to the compute
 * node and is left out.
 */
export const slotNeeds = oncePer(({ groups }: Pick<FlavorRequest, 'groups'>): readonly SlotNeed[] =>
  groups.flatMap((group: ResourceGroup): SlotNeed[] => {
    const { suffix, required, forbidden } = group
    const special = Object.entries(group.resources).filter(([name]) => !PLAIN.has(name))
    if (special.length === 0) return []
    if (suffix !== '') return [{ suffix, amounts: group.resources, required, forbidden }]
    return special.map(([name, amount]) => ({ suffix, amounts: { [name]: amount }, required, forbidden }))
  }),
)

/** Why a provider can not serve a slot even when empty; null when it can. Group-less traits also count from the root. */
export const unfitBecause = (
  need: SlotNeed,
  { provider }: GpuProvider,
  root: ResourceProvider | null,
): { kind: 'class' | 'trait' | 'size'; because: string } | null => {
  for (const [name, amount] of Object.entries(need.amounts)) {
    const inventory = provider.inventories?.[name]
    if (inventory === undefined) {
      const offered = Object.keys(provider.inventories ?? {}).join(', ') || 'nothing'
      return { kind: 'class', because: `it offers ${offered}, not ${name}` }
    }
    const max = inventory.maxUnit ?? inventory.capacity
    if (amount > max)
      return {
        kind: 'size',
        because: `one provider gives a server at most ${max} of ${name}, but ${amount} are requested`,
      }
  }
  const hasTrait = (trait: string): boolean =>
    provider.traits?.includes(trait) === true ||
    (need.suffix === '' && root?.traits?.includes(trait) === true)
  const missing = need.required.find((trait) => !hasTrait(trait))
  if (missing !== undefined) return { kind: 'trait', because: `it has no trait ${missing}` }
  const forbidden = need.forbidden.find(hasTrait)
  return forbidden === undefined
    ? null
    : { kind: 'trait', because: `it has the forbidden trait ${forbidden}` }
}

const freeOf = oncePer(
  ({ inventories }: ResourceProvider): Readonly<Record<string, number>> =>
    Object.fromEntries(
      Object.entries(inventories ?? {}).map(([name, { capacity, used }]) => [
        name,
        Math.max(0, capacity - used),
      ]),
    ),
)

/** Whether a provider can serve a slot: `unfitBecause` without its reason, for counting. */
const isFit = (need: SlotNeed, { traits, inventories }: ResourceProvider, root: ResourceProvider | null) => {
  for (const name in need.amounts) {
    const inventory = inventories?.[name]
    if (inventory === undefined || (need.amounts[name] ?? 0) > (inventory.maxUnit ?? inventory.capacity))
      return false
  }
  const hasTrait = (trait: string): boolean =>
    traits?.includes(trait) === true || (need.suffix === '' && root?.traits?.includes(trait) === true)
  return need.required.every(hasTrait) && !need.forbidden.some(hasTrait)
}

/** Whether a provider may serve a request for a type instead of a flavor; null: of a host without an agent. */
export type ProviderFilter = (joined: JoinedHost | null, entry: GpuProvider) => boolean

/**
 * What a host has for a request: a compute node with cards and their providers. `isUnused`: nothing is in use, and a card gives
 * its capacity; one whose capacity is not known has no bound.
 */
export type Devices = Pick<JoinedHost, 'pgpus' | 'strays'> & {
  root: { value: ResourceProvider | null }
  isUnused?: boolean
}

/** What a card gives to servers of a request. */
export const boundOf = ({ isUnused = false }: Pick<Devices, 'isUnused'>, entry: JoinedPgpu): Known =>
  isUnused ? entry.pgpu.numbers.capacity : freeForNova(entry)

/**
 * A host as a counting problem. Providers without a device are in it, since Placement chooses them, with no hardware behind.
 * `unknownCard`: why the hardware of a card that could serve is not known; null when all is. `unknownCards` have no bound.
 */
export const hostProblem = ({
  joined,
  needs,
  headroom,
  isIsolated,
  filter = () => true,
}: {
  joined: Devices
  needs: readonly SlotNeed[]
  headroom: number
  isIsolated: boolean
  filter?: (entry: GpuProvider) => boolean
}): { problem: FitProblem; unknownCard: string | null; unknownCards: readonly string[] } => {
  const owned = joined.pgpus.flatMap(({ pgpu, providers }) =>
    providers.map((entry) => ({ entry, card: pgpu.address })),
  )
  const all = [...owned, ...joined.strays.map((entry) => ({ entry, card: 'none' }))]
  const root = joined.root.value
  const slots = needs.map(
    (need): FitSlot => ({
      amounts: need.amounts,
      eligible: new Set(
        all
          .filter(({ entry }) => filter(entry) && isFit(need, entry.provider, root))
          .map(({ entry }) => entry.provider.uuid),
      ),
      isNumbered: need.suffix !== '',
    }),
  )
  const bins = all
    .filter(({ entry }) => slots.some(({ eligible }) => eligible.has(entry.provider.uuid)))
    .map(({ entry, card }): FitBin => ({ id: entry.provider.uuid, free: freeOf(entry.provider), card }))
  const cards: Record<string, number> = { none: 0 }
  let unknownCard: string | null = null
  const unknownCards: string[] = []
  for (const entry of joined.pgpus) {
    const free = boundOf(joined, entry)
    const serves = entry.providers.some(({ provider }) =>
      slots.some(({ eligible }) => eligible.has(provider.uuid)),
    )
    if (free.value !== null) cards[entry.pgpu.address] = free.value
    else if (joined.isUnused !== true) unknownCards.push(entry.pgpu.address)
    if (free.value === null && serves) unknownCard = `${entry.pgpu.address}: ${free.reason}`
  }
  const unread = owned.find(({ entry }) => entry.provider.inventories === null)
  if (unread !== undefined) unknownCard = `${unread.entry.provider.name} has not been read`
  return { problem: { slots, bins, cards, headroom, isIsolated }, unknownCard, unknownCards }
}
