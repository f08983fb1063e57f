import 'server-only'
import * as z from 'zod'
import {
  type HourWord,
  hourWord,
  joinHours,
  type UsualWait,
  usualWait,
} from '@/lib/domain/catalog/usual-wait'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { isForAggregates } from '@/lib/domain/fit/host-blockers'
import { wholeTypesReached } from '@/lib/domain/fit/reached-types'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { loadRolledSlots } from '@/lib/services/capacity/load-rolled-slots'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

const DAYS = 90

/** Hour by hour up to the last one that has been rolled up, whether a type had any free. */
export type TypeHours = ReadonlyMap<string, readonly HourWord[]>

// SQL: reads on the read replica.
const WATERMARK = 'SELECT until FROM roll_up WHERE cloud_id = $1'
const watermarkRow = z.object({ until: z.date() })

export const loadTypeHours = async ({ database }: ServiceContext, cloud: Cloud): Promise<TypeHours> => {
  const [rolled] = await database.history(WATERMARK, [cloud.id], watermarkRow)
  if (rolled === undefined) return new Map()
  const until = Math.ceil(rolled.until.getTime() / HOUR_MS) * HOUR_MS
  const range = { cloudId: cloud.id, step: 'hour' as const, from: until - DAYS * DAY_MS, until }
  const types = await loadRolledSlots(database.history, range, { dimension: 'type', keys: null })
  return new Map([...types].map(([typeId, slots]) => [typeId, slots.map(hourWord)]))
}

/**
 * How long it usually takes until there is one again, by flavor: of those alone that every host and card of their types is good
 * for, since the history is that of whole types.
 */
export function* waitsInSteps(
  fleet: Fleet,
  flavors: readonly Flavor[],
  hours: TypeHours,
): Generator<void, ReadonlyMap<string, UsualWait>> {
  const waits = new Map<string, UsualWait>()
  for (const flavor of flavors) {
    yield
    if (isForAggregates(fleet, flavor)) continue
    const types = wholeTypesReached(fleet, readFlavorRequest(flavor))
    if (types === null || types.length === 0) continue
    const wait = usualWait(joinHours(types.map((typeId) => hours.get(typeId) ?? [])))
    if (wait !== null) waits.set(flavor.id, wait)
  }
  return waits
}
