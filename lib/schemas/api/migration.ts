import * as z from 'zod/mini'

const locationSchema = z.enum(['nova', 'source', 'destination', 'pair'])

/** `because` of an end follows the host's name: `has no free vGPU of the type`. */
const caution = z.object({ at: locationSchema, because: z.string() })
const blocker = z.extend(caution, {
  /** The host must be changed first; waiting does not help. */
  isLasting: z.boolean(),
  isUnknown: z.boolean(),
})

const host = z.object({
  name: z.string(),
  /** Hosts of one group are equal in all that matters here. */
  group: z.int(),
  isSilent: z.boolean(),
  driverVersion: z.nullable(z.string()),
  /** Free vGPUs of the type, by hardware and Placement together; null: not known. */
  free: z.nullable(z.int()),
})
export type MigrationHostDto = z.infer<typeof host>

const pair = z.object({
  /** Groups. */
  source: z.int(),
  destination: z.int(),
  /** `later`: only missing free capacity or a disabled service prevents it now. */
  verdict: z.enum(['possible', 'later', 'blocked', 'unknown']),
  blockers: z.array(blocker),
  cautions: z.array(caution),
})
export type MigrationPairDto = z.infer<typeof pair>

/** From which host to which servers with vGPUs of one type can be live-migrated. */
export const migrationSchema = z.object({
  cloud: z.string(),
  /** Every type that hosts carry, the one on most hosts first. */
  types: z.array(z.object({ typeId: z.string(), typeName: z.string(), hostCount: z.int() })),
  /** Null: no host has a type, or none has the requested one. */
  matrix: z.nullable(
    z.object({
      typeId: z.string(),
      typeName: z.string(),
      /** Whether Nova's release live-migrates vGPUs of this type. */
      support: z.string(),
      hosts: z.array(host),
      groupCount: z.int(),
      /** Every ordered pair of groups, and a group with itself where it has several hosts. */
      pairs: z.array(pair),
    }),
  ),
})
export type Migration = z.infer<typeof migrationSchema>
export type MigrationMatrixDto = NonNullable<Migration['matrix']>
