import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import type { MetricFamily, Sample } from '@/lib/domain/metrics/write-exposition'
import { CARD_WIDTH, type CardColumn, cardOffset, UNKNOWN } from '@/lib/services/fleet/card-table'
import type { Fleet } from '@/lib/services/fleet/fleet-snapshot'
import type { FleetView } from '@/lib/services/fleet/fleet-view'
import type { LastReading } from '@/lib/services/utilization/arrival-rows'

/** A cloud's fleet at one position. */
export type CloudFleet = { cloud: string; view: FleetView }

/** `readings`: what hosts sampled last, by their ids. */
export type MeasuredFleet = CloudFleet & { readings: ReadonlyMap<number, readonly LastReading[]> }

const MIB = 1024 * 1024

const NUMBERS = [
  { column: 'capacity', meaning: 'vGPUs of the current type on a full pGPU' },
  { column: 'used', meaning: 'vGPUs attached to a guest, running or shut off' },
  { column: 'spare', meaning: 'vGPUs created, attached to no guest, of the configured type' },
  {
    column: 'orphan',
    meaning: 'vGPUs created, attached to no guest, of a type that is no longer configured',
  },
  { column: 'stranded', meaning: 'vGPUs free in hardware but unreachable for every flavor' },
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

const OFFSETS = {
  address: cardOffset('addressIndex'),
  model: cardOffset('modelIndex'),
  framework: cardOffset('frameworkIndex'),
  type: cardOffset('typeIndex'),
}
const NUMBER_OFFSETS = NUMBERS.map(({ column }) => ({ column, offset: cardOffset(column) }))

/** Id and name of a card's type; without a type no id, and the text that replaces the name. */
export const typeLabels = (
  { dictionaries }: Fleet,
  { typeIndex, framework }: { typeIndex: number; framework: string },
): Pick<Card, 'typeId' | 'typeName'> => {
  if (typeIndex === UNKNOWN) return { typeId: '', typeName: noTypeLabel(framework) }
  const { typeId, shortName } = dictionaries.types.valueAt(typeIndex)
  return { typeId, typeName: shortName }
}

/** The cards of hosts that report, one after the other. */
function* reportingCards({ view: { fleet, silentHosts } }: CloudFleet): Generator<Card> {
  const { addresses, models, frameworks } = fleet.dictionaries
  for (const { id, name, cards } of fleet.hosts) {
    if (silentHosts.has(id)) continue
    for (let card = 0; card < cards.length; card += CARD_WIDTH) {
      const at = (offset: number): number => cards[card + offset] ?? UNKNOWN
      const framework = frameworks.valueAt(at(OFFSETS.framework))
      const numbers = Object.fromEntries(
        NUMBER_OFFSETS.map(({ column, offset }) => [column, at(offset) === UNKNOWN ? null : at(offset)]),
      ) as Card['numbers']
      yield {
        hostId: id,
        host: name,
        address: addresses.valueAt(at(OFFSETS.address)),
        model: models.valueAt(at(OFFSETS.model)),
        framework,
        ...typeLabels(fleet, { typeIndex: at(OFFSETS.type), framework }),
        numbers,
      }
    }
  }
}

const known = (labels: Sample['labels'], value: number | null): Sample[] =>
  value === null ? [] : [{ labels, value }]

/** pGPUs of one step. */
const STEP_PGPUS = 200

/** The numbers of each pGPU of hosts that report. An unknown number has no sample. */
export function* pgpuFamilies(clouds: readonly MeasuredFleet[]): Generator<void, MetricFamily[]> {
  const info: Sample[] = []
  const utilization: Sample[] = []
  const framebuffer: Sample[] = []
  const samples = new Map<NumberColumn, Sample[]>(NUMBERS.map(({ column }) => [column, []]))
  for (const one of clouds) {
    for (const card of reportingCards(one)) {
      if (info.length % STEP_PGPUS === 0) yield
      const { hostId, host, address, model, framework, typeId, typeName, numbers } = card
      const labels = { cloud: one.cloud, host, pgpu: address }
      const words = { model, framework, vgpu_type: typeId, vgpu_type_name: typeName }
      info.push({ labels: { ...labels, ...words }, value: 1 })
      for (const { column } of NUMBERS) samples.get(column)?.push(...known(labels, numbers[column]))
      const reading = one.readings.get(hostId)?.find((each) => each.address === address)
      if (reading === undefined) continue
      utilization.push(...known(labels, reading.utilization === null ? null : reading.utilization / 100))
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
      name: 'sliceboard_pgpu_utilization_ratio',
      help: 'Part of the time in which a kernel ran on the pGPU, when its agent sampled it last.',
      type: 'gauge',
      samples: utilization,
    },
    {
      name: 'sliceboard_pgpu_framebuffer_used_bytes',
      help: 'Framebuffer of the pGPU that was in use when its agent sampled it last.',
      type: 'gauge',
      samples: framebuffer,
    },
  ]
}
