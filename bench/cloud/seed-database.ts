import { CLOUD } from '@/e2e/world/clouds-yaml'
import type { AuditAction } from '@/lib/domain/access/audit-action'
import { type AuditContent, auditHash, FIRST_PREV_HASH } from '@/lib/server/audit/audit'
import type { Database } from '@/lib/server/database/database'
import { pgColumns } from '@/lib/server/database/pg-array'
import { enrollHosts } from '../ingest/enroll-hosts'
import type { CloudSize } from './sizes'
import { benchProject } from './world/bench-projects'

const ACTIONS: AuditAction[] = [
  'session.create',
  'change.plan',
  'change.start',
  'finding.acknowledge',
  'api-token.create',
]
const ROWS_AT_ONCE = 5000
const MINUTE_MS = 60_000

const seedAudit = async ({ query }: Database, count: number): Promise<void> => {
  const beganMs = Date.now() - count * MINUTE_MS
  let prevHash = FIRST_PREV_HASH
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, index) => {
      const number = from + index
      const content: AuditContent = {
        at: new Date(beganMs + number * MINUTE_MS),
        cloud: CLOUD,
        actor: `user:admin-${number % 20}`,
        action: ACTIONS[number % ACTIONS.length] ?? 'session.create',
        subject: `change:${number % 5000}`,
        before: null,
        after: { number },
      }
      const row = { content, prevHash, hash: auditHash({ prevHash, content }) }
      prevHash = row.hash
      return row
    })
    await query(
      `INSERT INTO audit_entry (at, cloud, actor, action, subject, after, prev_hash, hash)
       SELECT at, $1, actor, action, subject, after, prev_hash, hash
       FROM unnest($2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::text[])
         AS row (at, actor, action, subject, after, prev_hash, hash)`,
      [
        CLOUD,
        ...pgColumns(rows, [
          ({ content }) => content.at.toISOString(),
          ({ content }) => content.actor,
          ({ content }) => content.action,
          ({ content }) => content.subject,
          ({ content }) => JSON.stringify(content.after),
          (row) => row.prevHash,
          ({ hash }) => hash,
        ]),
      ],
    )
  }
}

/** One in four is open. */
const seedRequests = async ({ query }: Database, { requests, projects }: CloudSize): Promise<void> => {
  const rows = Array.from({ length: requests }, (_, index) => ({
    project: benchProject(index % projects),
    number: 1 + Math.floor(index / projects),
  }))
  await query(
    `INSERT INTO quota_request (cloud_id, project_id, project_name, number, resource_name, value, reason, state, made_by,
       made_at, decided_by, decided_at, answer)
     SELECT (SELECT min(id) FROM cloud), id, name, number, 'class:VGPU', 12 + place % 9, 'Training runs of the next quarter',
       CASE WHEN place % 4 = 0 THEN 'open' ELSE 'declined' END, 'user:t.rivera', now() - place * interval '1 hour',
       CASE WHEN place % 4 <> 0 THEN 'user:admin' END,
       CASE WHEN place % 4 <> 0 THEN now() - place * interval '1 hour' + interval '20 minutes' END,
       CASE WHEN place % 4 <> 0 THEN 'No capacity before the next delivery' END
     FROM unnest($1::text[], $2::text[], $3::int[]) WITH ORDINALITY AS row (id, name, number, place)`,
    pgColumns(rows, [({ project }) => project.id, ({ project }) => project.name, ({ number }) => number]),
  )
}

/** An empty database gets the enrolled hosts, audit and requests of a cloud. */
export const seedDatabase = async (database: Database, size: CloudSize): Promise<void> => {
  await enrollHosts(database, size.hosts, { name: CLOUD, region: 'RegionOne' })
  await seedAudit(database, size.auditRows)
  await seedRequests(database, size)
  await database.query('ANALYZE')
}
