import * as z from 'zod/mini'
import { SEVERITIES } from '../severity'
import { findingSubjectSchema } from './finding'
import { fleetTotals, fleetTotalsSchema, unitTotals } from './totals'

/** How old the fleet's data is. Asked often, small unless hosts are silent. */
export const freshnessSchema = z.object({
  cloud: z.string(),
  /** The console's clock, ISO 8601 UTC. */
  now: z.string(),
  /** The position of these values and of the fleet's numbers, as in `overview`. */
  asOf: z.string(),
  /** Newest report or heartbeat of any host; null before the first. */
  newestSeenAt: z.nullable(z.string()),
  hostCount: z.int(),
  /** Seconds without a word after which a host is silent. */
  silentAfterSeconds: z.int(),
  silentHosts: z.array(z.object({ host: z.string(), seenAt: z.nullable(z.string()) })),
  /** Most hosts went silent at once: the console is blind, the hosts are probably well. */
  isFleetSilent: z.boolean(),
  fleetSilentSince: z.nullable(z.string()),
})
export type Freshness = z.infer<typeof freshnessSchema>

/** The fleet in one look. */
export const overviewSchema = z.object({
  cloud: z.string(),
  /** The position that the numbers belong to: answers with equal positions have equal totals. */
  asOf: z.string(),
  hosts: z.int(),
  /** pGPUs of both units. */
  pgpus: z.int(),
  ...unitTotals,
  byModel: z.array(
    z.object({
      model: z.string(),
      /** vGPUs; whole GPUs of the model are in `passthrough`. */
      ...fleetTotals,
      passthrough: fleetTotalsSchema,
      byType: z.array(
        z.object({
          typeId: z.nullable(z.string()),
          shortName: z.string(),
          /** What the totals of the row count. */
          unit: z.enum(['vgpu', 'passthrough']),
          ...fleetTotals,
        }),
      ),
    }),
  ),
  attention: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(SEVERITIES),
      sentence: z.string(),
      /** How many pGPUs, hosts or other subjects it concerns. */
      count: z.int(),
      /** The first few. */
      subjects: z.array(findingSubjectSchema),
      /** A reading round found it, so it is in the list of findings. Else it is from the hosts' own reports. */
      isTracked: z.boolean(),
      /** When the oldest open one was found; null: it is not tracked. */
      since: z.nullable(z.string()),
    }),
  ),
})
export type Overview = z.infer<typeof overviewSchema>
