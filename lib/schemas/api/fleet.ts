import * as z from '@/lib/schemas/mini'
import { findingSubjectSchema } from './finding'

const maybe = z.nullable(z.int())

const isEveryInteger = (column: unknown, { isNullAllowed }: { isNullAllowed: boolean }): boolean => {
  if (!Array.isArray(column)) return false
  for (let row = 0; row < column.length; row++) {
    const value: unknown = column[row]
    if (!(Number.isInteger(value) || (isNullAllowed && value === null))) return false
  }
  return true
}

/*
 * Columns are checked by one plain loop each: zod's array of 80,000 integers costs 4 ms a column, so 65 to 100 ms for
 * all of them at every poll in the browser; the loops cost about 1 ms together. They refuse the same values.
 */
const wholeColumn = z
  .custom<number[]>((value) => isEveryInteger(value, { isNullAllowed: false }), 'must be a list of integers')
  .check(z.meta({ type: 'array', items: { type: 'integer' } }))
const maybeColumn = z
  .custom<(number | null)[]>(
    (value) => isEveryInteger(value, { isNullAllowed: true }),
    'must be a list of integers and nulls',
  )
  .check(z.meta({ type: 'array', items: { type: ['integer', 'null'] } }))

const gpuColumnShape = z.object({
  hostIndex: wholeColumn,
  addressIndex: wholeColumn,
  modelIndex: wholeColumn,
  frameworkIndex: wholeColumn,
  /** Null: no type yet. */
  typeIndex: maybeColumn,
  rangeIndex: maybeColumn,
  numaNode: maybeColumn,
  framebufferMib: maybeColumn,
  capacity: maybeColumn,
  used: maybeColumn,
  spare: maybeColumn,
  orphan: maybeColumn,
  returning: maybeColumn,
  creatable: maybeColumn,
  findingIndex: maybeColumn,
  /** Why the first unknown number of the pGPU is unknown (capacity, used, spare, orphan, returning, creatable). */
  reasonIndex: maybeColumn,
  /** Placement's total and used. Null, here and below: not known, or no cloud is read. */
  advertised: maybeColumn,
  advertisedUsed: maybeColumn,
  /** Free by the hardware, but out of every flavor's reach. */
  stranded: maybeColumn,
  serviceIndex: maybeColumn,
  aggregateSetIndex: maybeColumn,
})

const areIndexesWithin = (column: (number | null)[], length: number): boolean => {
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? 0
    if (value < 0 || (value >= length && column[row] !== null)) return false
  }
  return true
}

const gpuFrame = z.object({
  cloud: z.string(),
  /** Equal versions mean equal content; also the ETag. */
  version: z.string(),
  hosts: z.array(z.string()),
  addresses: z.array(z.string()),
  models: z.array(z.string()),
  /** `maxInstance` bounds drawn for a card without a current type: see `ranges`. */
  types: z.array(z.object({ typeId: z.string(), shortName: z.string(), framebufferMib: maybe })),
  frameworks: z.array(z.string()),
  /** Distinct [fewest, most] vGPUs that the supported types of a card allow. */
  ranges: z.array(z.tuple([z.int(), z.int()])),
  findings: z.array(
    z.object({ code: z.string(), severity: z.enum(['error', 'warning', 'info']), sentence: z.string() }),
  ),
  /** Distinct sentences that say why a number is unknown. */
  reasons: z.array(z.string()),
  /** States of nova-compute that occur. */
  services: z.array(z.enum(['up', 'down', 'disabled', 'unknown'])),
  /** Sets of Nova's host aggregates that occur, each sorted. */
  aggregateSets: z.array(z.array(z.string())),
  columns: gpuColumnShape.check(
    z.refine(
      (columns) =>
        Object.values(columns).every((column: unknown[]) => column.length === columns.hostIndex.length),
      'must have columns of one length',
    ),
  ),
})

/** The dictionary that each index column points into. */
const dictionaries = {
  hostIndex: 'hosts',
  addressIndex: 'addresses',
  modelIndex: 'models',
  frameworkIndex: 'frameworks',
  typeIndex: 'types',
  rangeIndex: 'ranges',
  findingIndex: 'findings',
  reasonIndex: 'reasons',
  serviceIndex: 'services',
  aggregateSetIndex: 'aggregateSets',
} as const

const indexColumns = Object.keys(dictionaries) as (keyof typeof dictionaries)[]

/**
 * All pGPUs of a cloud as columns: 80,000 of them are about 260 kB gzipped. Row r is made of element r of every column;
 * `…Index` columns point into a dictionary. Age is not in here, so that an unchanged fleet costs a 304 (see `freshness`).
 */
export const gpuColumnsSchema = gpuFrame.check(
  z.refine(
    (gpus) =>
      indexColumns.every((name) => areIndexesWithin(gpus.columns[name], gpus[dictionaries[name]].length)),
    'must have indexes that stand in their dictionary',
  ),
)
export type GpuColumns = z.infer<typeof gpuColumnsSchema>

/** How old the fleet's data is. Asked often, small unless hosts are silent. */
export const freshnessSchema = z.object({
  cloud: z.string(),
  /** The console's clock, ISO 8601 UTC. */
  now: z.string(),
  /** Newest report or heartbeat of any host; null before the first. */
  newestSeenAt: z.nullable(z.string()),
  hostCount: z.int(),
  /** Seconds without a word after which a host is silent. */
  silentAfterSeconds: z.int(),
  silentHosts: z.array(z.object({ host: z.string(), seenAt: z.nullable(z.string()) })),
  /** Most hosts went silent at once: the console is blind, the hosts are probably well. */
  isBlind: z.boolean(),
  blindSince: z.nullable(z.string()),
})
export type Freshness = z.infer<typeof freshnessSchema>

/** Null: there are pGPUs, and of none of them the number is known. capacity = used + spare + orphan + creatable + locked. */
const totals = {
  pgpus: z.int(),
  capacity: maybe,
  used: maybe,
  spare: maybe,
  orphan: maybe,
  returning: maybe,
  creatable: maybe,
  /** Places that are not taken and that the driver would not fill now. */
  locked: maybe,
  /** pGPUs with at least one number unknown, or on a silent host. */
  unknown: z.int(),
  /** Why these are unknown; null when none is. */
  unknownReason: z.nullable(z.string()),
}

/** The fleet in one look. What the sums leave out and count as unknown: lib/domain/fleet/totals. */
export const overviewSchema = z.object({
  cloud: z.string(),
  hosts: z.int(),
  totals: z.object(totals),
  byModel: z.array(
    z.object({
      model: z.string(),
      ...totals,
      byType: z.array(z.object({ typeId: z.nullable(z.string()), shortName: z.string(), ...totals })),
    }),
  ),
  attention: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(['error', 'warning', 'info']),
      sentence: z.string(),
      /** How many pGPUs, hosts or other subjects it concerns. */
      count: z.int(),
      /** The first few. */
      subjects: z.array(findingSubjectSchema),
      /** A round of reading found it: it stands in the list of findings. Else it is the hosts' own word. */
      isTracked: z.boolean(),
    }),
  ),
})
export type Overview = z.infer<typeof overviewSchema>
export type FleetTotals = Overview['totals']
