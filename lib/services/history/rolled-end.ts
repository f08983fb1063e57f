import 'server-only'
import * as z from 'zod'
import type { CurrentFigures } from '@/lib/domain/history/figures'
import type { RolledGroup } from '@/lib/domain/history/roll-up'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { statement } from '@/lib/server/database/statement'
import { groupName } from './roll-up-rows'

const storedNumber = z.number().nullable()
/** [capacity, used, stranded, unseen] of a group. */
const groupValues = z.tuple([storedNumber, storedNumber, storedNumber, storedNumber])
type GroupValues = z.infer<typeof groupValues>

/** JSON of the state at the end of the roll-ups: an object with each group under its name. */
export const encodeEndState = (groups: readonly RolledGroup[]): string =>
  JSON.stringify(
    Object.fromEntries(
      groups.map((group): [string, GroupValues] => {
        const { capacity, used, stranded, unseen } = group.current
        return [groupName(group), [capacity, used, stranded, unseen]]
      }),
    ),
  )

// SQL: the requested groups are picked out of the JSON by the database.
const LOAD = statement(`
SELECT until, (SELECT jsonb_object_agg(n, standing -> n) FROM unnest($2::text[]) AS n WHERE standing ? n) AS groups
FROM roll_up WHERE cloud_id = $1`)
const rolledRow = z.object({ until: z.date(), groups: z.record(z.string(), groupValues).nullable() })

export type RolledEnd = {
  /** Until when the history is rolled up; ms. */
  at: number
  /** The state of groups at that time, by their keys; those that had no member lately are left out. */
  endStates: ReadonlyMap<string, CurrentFigures>
}

/** The end of a cloud's roll-ups with the state of the groups of a dimension; null: nothing is rolled up. */
export const loadRolledEnd = async (
  query: Query,
  { cloudId, dimension, keys }: { cloudId: number; dimension: string; keys: readonly string[] },
): Promise<RolledEnd | null> => {
  const names = keys.map((key) => groupName({ dimension, key }))
  const [row] = await query(LOAD, [cloudId, pgArray(names)], rolledRow)
  if (row === undefined) return null
  const endStates = new Map<string, CurrentFigures>()
  for (const [index, key] of keys.entries()) {
    const stored = row.groups?.[names[index] ?? '']
    if (stored === undefined) continue
    const [capacity, used, stranded, unseen] = stored
    endStates.set(key, { capacity, used, stranded, unseen })
  }
  return { at: row.until.getTime(), endStates }
}
