import * as z from 'zod/mini'

const maybe = z.nullable(z.int())

/** Why capacity is blocked. `orphaned`: by an mdev that Nova never uses; `locked`: by other vGPUs on the pGPU. */
const BLOCKED_KINDS = ['orphaned', 'locked', 'stranded', 'cleaning'] as const
export type BlockedKind = (typeof BLOCKED_KINDS)[number]

/** Divides the capacity: capacity = used + spare + free + blocked + unknown. Null counts as 0 in this sum. */
const partition = {
  capacity: maybe,
  used: maybe,
  spare: maybe,
  free: maybe,
  blocked: maybe,
  unknown: maybe,
}

/**
 * The total of a set of pGPUs in one unit: vGPUs, or whole GPUs for PCI passthrough. The two units are never added. Null: the set
 * has pGPUs, and the number is not known for any of them. The rules: lib/domain/fleet/totals.
 */
export const fleetTotals = {
  /** pGPUs of this unit. */
  pgpus: z.int(),
  ...partition,
  /** The parts of `blocked`, with a reason each, the largest first. */
  blockedBy: z.array(z.object({ kind: z.enum(BLOCKED_KINDS), reason: z.string(), count: z.int() })),
  /** The same by kind, without reasons. `stranded` includes `cleaning`. */
  orphan: maybe,
  locked: maybe,
  stranded: maybe,
  returning: maybe,
  /** pGPUs without a known capacity. They are in no other number except `pgpus`. */
  unknownPgpus: z.int(),
  /** Why capacity or pGPUs are unknown; null: none are. */
  unknownReason: z.nullable(z.string()),
  /** The same reason by reason, with the pGPUs that each concerns, the most frequent first. */
  unknownBy: z.array(z.object({ reason: z.string(), pgpus: z.int() })),
  /** The part of the total that comes from hosts that do not report; null: all of these hosts report. */
  lastKnown: z.nullable(
    z.object({
      hosts: z.int(),
      pgpus: z.int(),
      ...partition,
      /** Of these hosts, the one that has been silent longest. ISO 8601 UTC. */
      oldestSeenAt: z.nullable(z.string()),
    }),
  ),
}

export const fleetTotalsSchema = z.object(fleetTotals)
export type FleetTotals = z.infer<typeof fleetTotalsSchema>

/** Both totals of a set of pGPUs. */
export const unitTotals = { totals: fleetTotalsSchema, passthrough: fleetTotalsSchema }
export type UnitTotals = { totals: FleetTotals; passthrough: FleetTotals }
