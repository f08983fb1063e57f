import 'server-only'
import { type SearchInput, searchInputSchema } from '@/lib/schemas/api/search'
import type { SearchResults } from '@/lib/schemas/api/search-results'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { CARD_WIDTH, cardOffset, type HostBlock, UNKNOWN } from '@/lib/services/fleet/card-table'
import { fleetOfCloud } from '@/lib/services/fleet/fleet-of-cloud'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { findGuests, MAX_RESULTS } from './find-guests'
import { findInCloud, firstMatches } from './find-in-cloud'
import { findRecords } from './find-records'

type GpuHit = SearchResults['gpus'][number]

const findHosts = ({ hosts }: Fleet, text: string): string[] =>
  firstMatches(
    hosts.map(({ name }) => name),
    text,
    (name) => [name],
  )

/** The types that GPUs have now, or had since the console started. */
const findTypes = ({ dictionaries: { types } }: Fleet, text: string): SearchResults['types'] =>
  firstMatches(
    Array.from({ length: types.size() }, (_none, id) => types.valueAt(id)),
    text,
    ({ typeId, shortName }) => [shortName, typeId],
  ).map(({ typeId, shortName }) => ({ typeId, name: shortName }))

const gpusOfHost = (block: HostBlock, { dictionaries }: Fleet, words: string[]): GpuHit[] => {
  const hits: GpuHit[] = []
  for (let from = 0; from < block.cards.length; from += CARD_WIDTH) {
    const address = dictionaries.addresses.valueAt(block.cards[from + cardOffset('addressIndex')] ?? UNKNOWN)
    if (!words.every((word) => address.includes(word))) continue
    const model = dictionaries.models.valueAt(block.cards[from + cardOffset('modelIndex')] ?? UNKNOWN)
    hits.push({ host: block.name, address, model })
  }
  return hits
}

/** Each word must be in the host's name or the address, at least one in the address: `cmp-r2 e7:00`. */
const findGpus = (fleet: Fleet, text: string): GpuHit[] => {
  const words = text.split(/\s+/).map((word) => canonicalAddress(word))
  const hits: GpuHit[] = []
  for (const block of fleet.hosts) {
    const ofAddress = words.filter((word) => !block.name.includes(word))
    if (ofAddress.length > 0) hits.push(...gpusOfHost(block, fleet, ofAddress))
    if (hits.length >= MAX_RESULTS) break
  }
  return hits.slice(0, MAX_RESULTS)
}

/** Everything of a cloud by part of a name, uuid, address, title or number; at most 20 of each kind. */
export const searchFleet = async (ctx: ServiceContext, input: SearchInput): Promise<SearchResults> => {
  requirePermission(ctx, 'fleet.read')
  const { text: asTyped, ...scope } = parseInput(searchInputSchema, input)
  const text = asTyped.toLowerCase()
  const cloud = await findCloud(ctx, scope)
  const [fleet, guests, ofCloud, records] = await Promise.all([
    fleetOfCloud(ctx, cloud),
    findGuests(ctx, { cloud, text }),
    findInCloud(ctx, { cloud, text }),
    findRecords(ctx, { cloud, text }),
  ])
  return {
    hosts: findHosts(fleet, text),
    gpus: findGpus(fleet, text),
    types: findTypes(fleet, text),
    guests,
    ...ofCloud,
    ...records,
  }
}
