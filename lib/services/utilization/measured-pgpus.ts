import 'server-only'
import * as z from 'zod'
import { DAY_MS } from '@/lib/domain/history/series'
import type { Query } from '@/lib/server/database/database'
import { pgArray } from '@/lib/server/database/pg-array'
import { loadPages, STEPS } from './page-rows'

const HOSTS_AT_ONCE = 200

// SQL: reads with the query of the caller, which may be the read replica.
const PGPUS = `
SELECT id, host_id AS "hostId", address FROM utilisation_series
WHERE host_id = ANY($1::int[]) AND vgpu = '' AND first_at < $2::timestamptz`
const pgpuRow = z.object({ id: z.int(), hostId: z.int(), address: z.string() })

type Span = { step: 'hour' | 'day'; from: number; until: number }

/** Whole days as days, what is left at both ends as hours. */
const spansOf = (from: number, until: number): Span[] => {
  const first = Math.min(until, Math.ceil(from / DAY_MS) * DAY_MS)
  const last = Math.max(first, Math.floor(until / DAY_MS) * DAY_MS)
  const spans: Span[] = [
    { step: 'hour', from, until: first },
    { step: 'day', from: first, until: last },
    { step: 'hour', from: last, until },
  ]
  return spans.filter((span) => span.from < span.until)
}

/** pGPUs of hosts with any utilization data between two whole hours (ms), as host id and address. */
export const measuredPgpus = async (
  query: Query,
  { hostIds, from, until }: { hostIds: readonly number[]; from: number; until: number },
): Promise<Set<string>> => {
  const measured = new Set<string>()
  for (let index = 0; index < hostIds.length; index += HOSTS_AT_ONCE) {
    const some = hostIds.slice(index, index + HOSTS_AT_ONCE)
    const rows = await query(PGPUS, [pgArray(some), new Date(until)], pgpuRow)
    const names = new Map(rows.map(({ id, hostId, address }) => [id, `${hostId} ${address}`]))
    for (const span of spansOf(from, until)) {
      const { unitMs } = STEPS[span.step]
      for (const { begin, series } of await loadPages(query, { ...span, hostIds: some, kinds: ['pgpu'] }))
        for (const { id, slots } of series) {
          const name = names.get(id)
          const isSeen = slots.some((slot, at) => {
            const moment = begin + at * unitMs
            return moment >= span.from && moment < span.until && slot !== null && slot.utilization !== null
          })
          if (name !== undefined && isSeen) measured.add(name)
        }
    }
  }
  return measured
}
