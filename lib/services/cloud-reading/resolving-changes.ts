import 'server-only'
import * as z from 'zod'
import type { Finding, Subject } from '@/lib/domain/findings/finding'
import { targetsOf } from '@/lib/domain/plans/change-targets'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { parseStoredPreview } from '@/lib/domain/plans/stored-plan'
import type { Query } from '@/lib/server/database/database'

// SQL: reads in the transaction of a round, by an interval before the round.
/** Reports and reading rounds show the effect of a change some minutes after its last step. */
const FIND = `
SELECT id, kind, preview FROM change
WHERE cloud_id = $1 AND started_at <= $2::timestamptz
  AND (ended_at IS NULL OR ended_at >= $2::timestamptz - interval '15 minutes')
ORDER BY started_at DESC, id DESC`

const changeRow = z.object({ id: z.int(), kind: z.string(), preview: z.unknown() })

const isAbout = (subject: Subject, { host, address }: ChangeTarget): boolean => {
  switch (subject.kind) {
    case 'pgpu':
      return host === subject.host && address === subject.address
    case 'host':
    case 'provider':
    case 'server':
      return host === subject.host
    case 'flavor':
    case 'aggregate':
      return host === subject.kind && address === subject.name
    case 'limit':
      return host === 'limit' && address === subject.resourceName
    case 'cloud':
    case 'trait':
      return false
  }
}

/** For each finding that a round resolves, the newest change that acted on its subject shortly before. */
export const findResolvingChanges = async (
  query: Query,
  {
    cloudId,
    at,
    findings,
  }: { cloudId: number; at: Date; findings: readonly Pick<Finding, 'key' | 'subject'>[] },
): Promise<ReadonlyMap<string, number>> => {
  if (findings.length === 0) return new Map()
  const rows = await query(FIND, [cloudId, at], changeRow)
  const changes = rows.map(({ id, kind, preview }) => ({
    id,
    targets: targetsOf(parseStoredPreview(kind, preview)),
  }))
  return new Map(
    findings.flatMap(({ key, subject }) => {
      const change = changes.find(({ targets }) => targets.some((target) => isAbout(subject, target)))
      return change === undefined ? [] : [[key, change.id] as const]
    }),
  )
}
