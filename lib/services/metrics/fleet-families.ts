import { noTypeWords } from '@/lib/domain/fleet/no-type-words'
import type { MetricFamily, Sample } from '@/lib/domain/metrics/write-exposition'
import { CARD_WIDTH, type CardColumn, cardPlace, UNKNOWN } from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import type { LastReading } from '@/lib/services/utilisation/arrival-rows'

/** A cloud's fleet and the hosts whose numbers are too old to stand for now. */
export type CloudFleet = { cloud: string; fleet: Fleet; silentHostIds: ReadonlySet<number> }

/** `readings`: what hosts sampled last, by their ids. */
export type MeasuredFleet = CloudFleet & { readings: ReadonlyMap<number, readonly LastReading[]> }

const MIB = 1024 * 1024

const NUMBERS = [
  { column: 'capacity', meaning: 'vGPUs of the current type that fit by the hardware' },
  { column: 'used', meaning: 'vGPUs that are attached to a guest, running or shut off' },
  { column: 'spare', meaning: 'vGPUs that are made, attached to no guest and of the configured type' },
  {
    column: 'orphan',
    meaning: 'vGPUs that are made, attached to no guest and of a type that is no longer configured',
  },
  { column: 'stranded', meaning: 'vGPUs that are free by the hardware and out of every flavor’s reach' },
  { column: 'advertised', meaning: 'vGPUs that Placement advertises' },
] as const satisfies readonly { column: CardColumn; meaning: string }[]

type NumberColumn = (typeof NUMBERS)[number]['column']

type Card = {
  hostId: number
  host: string
  address: string
  model: string
  framework: string
  typeId: string
  typeName: string
  numbers: Record<NumberColumn, number | null>
}

const PLACES = {
  address: cardPlace('addressIndex'),
  model: cardPlace('modelIndex'),
  framework: cardPlace('frameworkIndex'),
  type: cardPlace('typeIndex'),
}
const CAPACITY = cardPlace('capacity')
const USED = cardPlace('used')
const NUMBER_PLACES = NUMBERS.map(({ column }) => ({ column, place: cardPlace(column) }))

/** Id and name of a card's type; without one no id, and what stands in its place. */
const typeWords = (
  { dictionaries }: Fleet,
  { typeIndex, framework }: { typeIndex: number; framework: string },
): Pick<Card, 'typeId' | 'typeName'> => {
  if (typeIndex === UNKNOWN) return { typeId: '', typeName: noTypeWords(framework) }
  const { typeId, shortName } = dictionaries.types.valueAt(typeIndex)
  return { typeId, typeName: shortName }
}

/** The cards of hosts that speak, one after the other. */
function* speakingCards({ fleet, silentHostIds }: CloudFleet): Generator<Card> {
  const { addresses, models, frameworks } = fleet.dictionaries
  for (const { id, name, cards } of fleet.hosts) {
    if (silentHostIds.has(id)) continue
    for (let card = 0; card < cards.length; card += CARD_WIDTH) {
      const at = (place: number): number => cards[card + place] ?? UNKNOWN
      const framework = frameworks.valueAt(at(PLACES.framework))
      const numbers = Object.fromEntries(
        NUMBER_PLACES.map(({ column, place }) => [column, at(place) === UNKNOWN ? null : at(place)]),
      ) as Card['numbers']
      yield {
        hostId: id,
        host: name,
        address: addresses.valueAt(at(PLACES.address)),
        model: models.valueAt(at(PLACES.model)),
        framework,
        ...typeWords(fleet, { typeIndex: at(PLACES.type), framework }),
        numbers,
      }
    }
  }
}

type TypeSums = {
  labels: Record<string, string>
  pgpus: number
  sums: Record<NumberColumn, number | null>
  unknown: number
}

const NOTHING: TypeSums['sums'] = {
  capacity: null,
  used: null,
  spare: null,
  orphan: null,
  stranded: null,
  advertised: null,
}

/** One pass over the integers, because a scrape holds up everything else: 80,000 cards take a few tens of milliseconds. */
const sumTypes = (clouds: readonly CloudFleet[]): TypeSums[] => {
  const byLabels = new Map<string, TypeSums>()
  const ofLabels = (labels: TypeSums['labels']): TypeSums => {
    const key = JSON.stringify(labels)
    const entry = byLabels.get(key) ?? { labels, pgpus: 0, sums: { ...NOTHING }, unknown: 0 }
    byLabels.set(key, entry)
    return entry
  }
  for (const { cloud, fleet, silentHostIds } of clouds) {
    const { models, frameworks, types } = fleet.dictionaries
    const [typeCount, frameworkCount] = [types.size() + 1, frameworks.size()]
    const byIndexes = new Map<number, TypeSums>()
    const entryAt = (cards: Int32Array, card: number): TypeSums => {
      const modelIndex = cards[card + PLACES.model] ?? 0
      const typeIndex = cards[card + PLACES.type] ?? UNKNOWN
      const frameworkIndex = cards[card + PLACES.framework] ?? 0
      const typePlace = typeIndex === UNKNOWN ? 0 : typeIndex + 1
      const key = (modelIndex * typeCount + typePlace) * frameworkCount + frameworkIndex
      const held = byIndexes.get(key)
      if (held !== undefined) return held
      const { typeId, typeName } = typeWords(fleet, {
        typeIndex,
        framework: frameworks.valueAt(frameworkIndex),
      })
      const model = models.valueAt(modelIndex)
      const entry = ofLabels({ cloud, model, vgpu_type: typeId, vgpu_type_name: typeName })
      byIndexes.set(key, entry)
      return entry
    }
    for (const { id, cards } of fleet.hosts) {
      if (silentHostIds.has(id)) continue
      for (let card = 0; card < cards.length; card += CARD_WIDTH) {
        const entry = entryAt(cards, card)
        entry.pgpus += 1
        if (cards[card + CAPACITY] === UNKNOWN || cards[card + USED] === UNKNOWN) entry.unknown += 1
        for (const { column, place } of NUMBER_PLACES) {
          const value = cards[card + place] ?? UNKNOWN
          if (value !== UNKNOWN) entry.sums[column] = (entry.sums[column] ?? 0) + value
        }
      }
    }
  }
  return [...byLabels.values()]
}

const known = (labels: Sample['labels'], value: number | null): Sample[] =>
  value === null ? [] : [{ labels, value }]

/** Sums by cloud, model and vGPU type, of hosts that speak. What is unknown of all its cards has no sample. */
export const typeFamilies = (clouds: readonly CloudFleet[]): MetricFamily[] => {
  const entries = sumTypes(clouds)
  return [
    {
      name: 'sliceboard_type_pgpus',
      help: 'pGPUs of hosts that report, by model and current vGPU type (empty: none).',
      type: 'gauge',
      samples: entries.map(({ labels, pgpus }) => ({ labels, value: pgpus })),
    },
    {
      name: 'sliceboard_type_unknown_pgpus',
      help: 'Of these pGPUs, those whose capacity or use is unknown.',
      type: 'gauge',
      samples: entries.map(({ labels, unknown }) => ({ labels, value: unknown })),
    },
    ...NUMBERS.map(
      ({ column, meaning }): MetricFamily => ({
        name: `sliceboard_type_${column}_vgpus`,
        help: `Sum over pGPUs where it is known: ${meaning}.`,
        type: 'gauge',
        samples: entries.flatMap(({ labels, sums }) => known(labels, sums[column])),
      }),
    ),
  ]
}

/** The numbers of each pGPU of hosts that speak. What is unknown has no sample. */
export const pgpuFamilies = (clouds: readonly MeasuredFleet[]): MetricFamily[] => {
  const info: Sample[] = []
  const utilisation: Sample[] = []
  const framebuffer: Sample[] = []
  const samples = new Map<NumberColumn, Sample[]>(NUMBERS.map(({ column }) => [column, []]))
  for (const one of clouds) {
    for (const card of speakingCards(one)) {
      const { hostId, host, address, model, framework, typeId, typeName, numbers } = card
      const labels = { cloud: one.cloud, host, pgpu: address }
      const words = { model, framework, vgpu_type: typeId, vgpu_type_name: typeName }
      info.push({ labels: { ...labels, ...words }, value: 1 })
      for (const { column } of NUMBERS) samples.get(column)?.push(...known(labels, numbers[column]))
      const reading = one.readings.get(hostId)?.find((each) => each.address === address)
      if (reading === undefined) continue
      utilisation.push(...known(labels, reading.utilisation === null ? null : reading.utilisation / 100))
      framebuffer.push(...known(labels, reading.usedMib === null ? null : reading.usedMib * MIB))
    }
  }
  return [
    {
      name: 'sliceboard_pgpu_info',
      help: 'What a pGPU is: join it to the numbers on cloud, host and pgpu. Always 1.',
      type: 'gauge',
      samples: info,
    },
    ...NUMBERS.map(
      ({ column, meaning }): MetricFamily => ({
        name: `sliceboard_pgpu_${column}_vgpus`,
        help: `${meaning}.`,
        type: 'gauge',
        samples: samples.get(column) ?? [],
      }),
    ),
    {
      name: 'sliceboard_pgpu_utilisation_ratio',
      help: 'Part of the time in which a kernel ran on the pGPU, when its agent sampled it last.',
      type: 'gauge',
      samples: utilisation,
    },
    {
      name: 'sliceboard_pgpu_framebuffer_used_bytes',
      help: 'Framebuffer of the pGPU that was in use when its agent sampled it last.',
      type: 'gauge',
      samples: framebuffer,
    },
  ]
}
