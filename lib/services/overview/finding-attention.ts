import 'server-only'
import * as z from 'zod'
import { findingTitle } from '@/lib/domain/findings/finding-title'
import { findingSubjectSchema } from '@/lib/schemas/api/finding'
import type { Overview } from '@/lib/schemas/api/fleet'
import { SEVERITIES } from '@/lib/schemas/severity'
import type { Query } from '@/lib/server/database/database'
import { isOpenAt, SEVERITY_RANK } from '@/lib/services/finding/finding-row'
import type { Location } from './weigh-attention'

type Attention = Overview['attention'][number]

/** Open findings of one code; `open` 0: all of them are acknowledged or muted. */
export type TrackedGroup = {
  code: string
  severity: Attention['severity']
  open: number
  subjects: Attention['subjects']
  since: Date | null
  /** Of every open one on a host. */
  locations: Location[]
}

const MAX_SUBJECTS = 5

const IS_OPEN = 'f.is_open'

const IS_ON_HOST = `${IS_OPEN} AND f.host IS NOT NULL AND f.body->'subject'->>'kind' IN ('host', 'pgpu')`

// SQL: conditional aggregates of all open findings.
const GROUPS = `
SELECT f.code, count(*) FILTER (WHERE ${IS_OPEN})::int AS open, min(${SEVERITY_RANK}) FILTER (WHERE ${IS_OPEN}) AS rank,
  min(f.opened_at) FILTER (WHERE ${IS_OPEN}) AS since,
  to_jsonb((array_agg(f.body->'subject' ORDER BY ${SEVERITY_RANK}, f.host, f.address, f.key)
    FILTER (WHERE ${IS_OPEN}))[1:${MAX_SUBJECTS}]) AS subjects,
  array_agg(f.host) FILTER (WHERE ${IS_ON_HOST}) AS hosts, array_agg(f.address) FILTER (WHERE ${IS_ON_HOST}) AS addresses
FROM (SELECT f.*, ${isOpenAt('$2')} AS is_open FROM finding f WHERE f.cloud_id = $1 AND f.closed_at IS NULL) f
GROUP BY f.code`

const groupRow = z.object({
  code: z.string(),
  open: z.int(),
  rank: z.int().nullable(),
  since: z.date().nullable(),
  subjects: z.array(findingSubjectSchema).nullable(),
  hosts: z.array(z.string()).nullable(),
  addresses: z.array(z.string().nullable()).nullable(),
})

/** The open findings of the reading rounds, by code. */
export const loadTrackedGroups = async (
  query: Query,
  { cloudId, now }: { cloudId: number; now: Date },
): Promise<TrackedGroup[]> =>
  (await query(GROUPS, [cloudId, now], groupRow)).map(
    ({ code, open, rank, since, subjects, hosts, addresses }) => ({
      code,
      open,
      severity: SEVERITIES[rank ?? 2] ?? 'info',
      subjects: subjects ?? [],
      since,
      locations: (hosts ?? []).map((host, index) => ({ host, address: addresses?.[index] ?? null })),
    }),
  )

export const trackedAttention = ({ code, severity, open, subjects, since }: TrackedGroup): Attention => ({
  code,
  severity,
  sentence: findingTitle(code),
  count: open,
  subjects,
  isTracked: true,
  since: since?.toISOString() ?? null,
})
