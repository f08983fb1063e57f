import 'server-only'
import * as z from 'zod'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { type RefusedType, refusedTypes } from '@/lib/domain/review/refused-types'
import type { StandingCard } from '@/lib/domain/review/standing'
import type { RefusedGroup } from '@/lib/domain/review/what-helps'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import type { Span } from './load-events'

/** Also before the period: a vGPU that was used throughout the period has no event in it. */
const LOOK_BACK_MS = 92 * 86_400_000

// SQL: distinct values of arrays, over tables that Prisma's client would read whole.
const FLAVOR_TYPES = `
SELECT DISTINCT o.flavor_name AS flavor, t.type_id AS "typeId" FROM guest_change c
JOIN host h ON h.id = c.host_id JOIN guest_owner o ON o.id = c.owner_id JOIN held_vgpus v ON v.id = c.held_id
CROSS JOIN unnest(v.type_ids) AS t (type_id)
WHERE h.cloud_id = $1 AND c.at >= $2::timestamptz AND c.at < $3::timestamptz AND o.flavor_name = ANY($4::text[])
  AND t.type_id <> '' ORDER BY 1, 2`
const flavorTypeRow = z.object({ flavor: z.string(), typeId: z.string() })

type Terms = {
  refused: readonly RefusedGroup[]
  /** The types that existed in the period, by name. */
  cards: readonly StandingCard[]
  most: number
}

/** Refused servers by the vGPU type that servers of their flavor held, in the period and the three months before. */
export const loadRefusedTypes = async (
  query: Query,
  { cloudId, from, until }: Span,
  { refused, cards, most }: Terms,
): Promise<{ rows: RefusedType[]; others: number }> => {
  const flavors = [...new Set(refused.flatMap(({ flavor }) => flavor ?? []))]
  const since = new Date(from - LOOK_BACK_MS)
  const params = [cloudId, since, new Date(until), pgArray(flavors)]
  const rows = await query(FLAVOR_TYPES, params, flavorTypeRow)
  const names = new Map(cards.map(({ point }) => [point.typeId, point.typeName]))
  const nameOf = (typeId: string): string => names.get(typeId) ?? typeId
  const typesOf = new Map(
    [...groupBy(rows, ({ flavor }) => flavor)].map(([flavor, own]) => [
      flavor,
      own.map(({ typeId }) => nameOf(typeId)),
    ]),
  )
  return refusedTypes(refused, { typesOf, most })
}
