import * as z from 'zod/mini'
import { SERVICE_STATES } from '../service-states'
import { SEVERITIES } from '../severity'

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
  /** Why it is stranded. */
  strandedReasonIndex: maybeColumn,
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
  findings: z.array(z.object({ code: z.string(), severity: z.enum(SEVERITIES), sentence: z.string() })),
  /** Distinct sentences that say why a number is unknown. */
  reasons: z.array(z.string()),
  /** Distinct reasons why free capacity is stranded. */
  strandedReasons: z.array(z.string()),
  /** States of nova-compute that occur. */
  services: z.array(z.enum(SERVICE_STATES)),
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
  strandedReasonIndex: 'strandedReasons',
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
