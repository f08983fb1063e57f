import { createHash } from 'node:crypto'
import { emptyTally, type FleetTally } from '@/lib/domain/fleet/totals'
import type { MetricFamily, Sample } from '@/lib/domain/metrics/write-exposition'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { cardOffset, UNKNOWN } from '@/lib/services/fleet/card-table'
import { tallyCards, totalsOf } from '@/lib/services/fleet/tally-cards'
import { type CloudFleet, typeLabels } from './fleet-families'

const MODEL = cardOffset('modelIndex')
const TYPE = cardOffset('typeIndex')
const FRAMEWORK = cardOffset('frameworkIndex')
const ADVERTISED = cardOffset('advertised')

const PARTS = [
  { name: 'capacity', meaning: 'total capacity' },
  { name: 'used', meaning: 'in use' },
  { name: 'spare', meaning: 'created and reusable' },
  { name: 'free', meaning: 'free and schedulable' },
  { name: 'blocked', meaning: 'blocked: orphaned, locked, stranded or waiting for cleaning' },
  { name: 'unknown', meaning: 'in an unknown state' },
] as const
const BLOCKED = [
  { name: 'orphan', meaning: 'orphaned' },
  { name: 'stranded', meaning: 'stranded' },
] as const

type Row = {
  cloud: string
  model: string
  vgpu_type: string
  vgpu_type_name: string
  totals: FleetTotals
  passthrough: FleetTotals
  advertised: number | null
}

type Group = { tally: FleetTally; advertised: number | null; indexes: [number, number, number] }

const rowsOf = ({ cloud, view }: CloudFleet): Row[] => {
  const { fleet } = view
  const { models, frameworks, types } = fleet.dictionaries
  const [typeCount, frameworkCount] = [types.size() + 1, frameworks.size()]
  const groups = new Map<number, Group>()
  tallyCards(view, fleet.hosts, ({ host: { cards }, card }) => {
    const [model, framework] = [cards[card + MODEL] ?? 0, cards[card + FRAMEWORK] ?? 0]
    const type = cards[card + TYPE] ?? UNKNOWN
    const key = (model * typeCount + (type === UNKNOWN ? 0 : type + 1)) * frameworkCount + framework
    const group = groups.get(key) ?? {
      tally: emptyTally(),
      advertised: null,
      indexes: [model, type, framework],
    }
    groups.set(key, group)
    const advertised = cards[card + ADVERTISED] ?? UNKNOWN
    if (advertised !== UNKNOWN) group.advertised = (group.advertised ?? 0) + advertised
    return group.tally
  })
  return [...groups.values()].map(({ tally, advertised, indexes: [model, typeIndex, framework] }) => {
    const { typeId, typeName } = typeLabels(fleet, { typeIndex, framework: frameworks.valueAt(framework) })
    return {
      cloud,
      model: models.valueAt(model),
      vgpu_type: typeId,
      vgpu_type_name: typeName,
      ...totalsOf(view, tally),
      advertised,
    }
  })
}

type Read<Value> = (row: Row) => Value

/** One sample per set of labels: groups that differ in nothing else are added. Null: no sample. */
const family = (
  rows: readonly Row[],
  {
    name,
    help,
    labels,
    value,
  }: { name: string; help: string; labels: Read<Sample['labels']>; value: Read<number | null> },
): MetricFamily => {
  const samples = new Map<string, Sample>()
  for (const row of rows) {
    const [of, number] = [labels(row), value(row)]
    if (number === null) continue
    const key = JSON.stringify(of)
    samples.set(key, { labels: of, value: number + (samples.get(key)?.value ?? 0) })
  }
  return { name, help, type: 'gauge', samples: [...samples.values()] }
}

const ofType: Read<Sample['labels']> = ({ cloud, model, vgpu_type, vgpu_type_name }) => ({
  cloud,
  model,
  vgpu_type,
  vgpu_type_name,
})
const ofModel: Read<Sample['labels']> = ({ cloud, model }) => ({ cloud, model })

const SUMS = 'Includes the last known numbers of hosts that do not report'

/** A number that is equal for equal positions; the position itself would be a new label value with every change. */
export const positionNumber = (asOf: string): number =>
  Number.parseInt(createHash('sha256').update(asOf).digest('hex').slice(0, 12), 16)

const vgpuFamilies = (rows: readonly Row[]): MetricFamily[] => [
  family(rows, {
    name: 'sliceboard_type_pgpus',
    help: 'pGPUs for vGPUs by model and current vGPU type (empty: none).',
    labels: ofType,
    value: ({ totals }) => totals.pgpus,
  }),
  family(rows, {
    name: 'sliceboard_type_unknown_pgpus',
    help: 'Of these pGPUs, those without a known capacity. They are in no sum.',
    labels: ofType,
    value: ({ totals }) => totals.unknownPgpus,
  }),
  ...[...PARTS, ...BLOCKED].map(({ name, meaning }) =>
    family(rows, {
      name: `sliceboard_type_${name}_vgpus`,
      help: `vGPUs ${meaning}. ${SUMS}.`,
      labels: ofType,
      value: ({ totals }) => totals[name],
    }),
  ),
  family(rows, {
    name: 'sliceboard_type_advertised_vgpus',
    help: `vGPUs that Placement reports as total. ${SUMS}.`,
    labels: ofType,
    value: ({ totals, advertised }) => (totals.pgpus === 0 ? null : advertised),
  }),
  ...PARTS.map(({ name, meaning }) =>
    family(rows, {
      name: `sliceboard_type_last_known_${name}_vgpus`,
      help: `Of the vGPUs ${meaning}, those on hosts that do not report.`,
      labels: ofType,
      value: ({ totals }) => (totals.lastKnown === null ? null : totals.lastKnown[name]),
    }),
  ),
]

const passthroughFamilies = (rows: readonly Row[]): MetricFamily[] => {
  const whole = rows.filter(({ passthrough }) => passthrough.pgpus > 0)
  return [
    ...PARTS.map(({ name, meaning }) =>
      family(whole, {
        name: `sliceboard_passthrough_${name}_gpus`,
        help: `GPUs for PCI passthrough ${meaning}. ${SUMS}.`,
        labels: ofModel,
        value: ({ passthrough }) => passthrough[name],
      }),
    ),
    ...PARTS.map(({ name, meaning }) =>
      family(whole, {
        name: `sliceboard_passthrough_last_known_${name}_gpus`,
        help: `Of the GPUs for PCI passthrough ${meaning}, those on hosts that do not report.`,
        labels: ofModel,
        value: ({ passthrough: { lastKnown } }) => (lastKnown === null ? null : lastKnown[name]),
      }),
    ),
  ]
}

/** The fleet totals by model and vGPU type. A number that is unknown for all pGPUs of a group has no sample. */
export const totalFamilies = (clouds: readonly CloudFleet[]): MetricFamily[] => {
  const rows = clouds.flatMap(rowsOf)
  return [
    {
      name: 'sliceboard_fleet_position',
      help: 'Identifies the position of the totals: answers with equal positions have equal totals.',
      type: 'gauge',
      samples: clouds.map(({ cloud, view }) => ({ labels: { cloud }, value: positionNumber(view.asOf) })),
    },
    ...vgpuFamilies(rows.filter(({ totals }) => totals.pgpus > 0)),
    ...passthroughFamilies(rows),
  ]
}
