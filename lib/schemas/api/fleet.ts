import * as z from '@/lib/schemas/mini'
import { findingSubjectSchema } from './finding'

const maybe = z.nullable(z.int())

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
  /** Of the capacity and of what is used the cards that are handed out whole; null: no number of them is known. */
  wholeCards: z.object({ capacity: maybe, used: maybe }),
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
