import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'

const REFUSED = `
INSERT INTO refused_server (cloud_id, uuid, at, project_id, flavor_name, reason, said)
VALUES ($1, 'a', '2026-11-20T10:00:00Z', 'p1', 'vgpu.large', 'no-valid-host', 'No valid host'),
  ($1, 'b', '2026-11-21T10:00:00Z', 'p1', 'vgpu.large', 'no-valid-host', 'No valid host'),
  ($1, 'c', '2026-11-22T10:00:00Z', 'p2', 'vgpu.large', 'no-valid-host', 'No valid host'),
  ($1, 'd', '2026-11-30T23:59:00Z', 'p2', NULL, 'over-limit', 'Quota exceeded'),
  ($1, 'before', '2026-10-31T23:59:59Z', 'p2', 'vgpu.large', 'no-valid-host', 'No valid host'),
  ($1, 'after', '2026-12-01T00:00:00Z', 'p2', 'vgpu.large', 'no-valid-host', 'No valid host')`

const CHANGE = `
INSERT INTO change (cloud_id, kind, title, input, preview, state, last_action, last_by, last_at, made_by, made_at, ended_at)
VALUES ($1, $2, $3, '{}', $4::jsonb, 'done', 'start', 'user:anna', $5::timestamptz, 'user:anna', $5::timestamptz, $5::timestamptz)
RETURNING id`
const STEP = `
INSERT INTO change_step (change_id, position, body, state) VALUES ($1, 0, $2::jsonb, 'done')`
const AUDIT = `
INSERT INTO audit_entry (at, cloud, actor, action, subject, after, prev_hash, hash)
VALUES ($1, $2, 'system', $3, $4, $5::jsonb, $4, $4 || $3)`

const FINDING = `
INSERT INTO finding (cloud_id, key, code, severity, subject_kind, body, opened_at, changed_at, host)
VALUES ($1, $2, $2, $3, 'cloud', $4::jsonb, $5, $5, $6) RETURNING id`
const EVENT = `
INSERT INTO finding_event (finding_id, at, kind, actor, severity, sentence) VALUES ($1, $2, $3, 'system', $4, $5)`

type Cloud = { cloudId: number; cloud: string }

const writeChanges = async ({ query }: Database, { cloudId, cloud }: Cloud): Promise<void> => {
  const finish = async (title: string, kind: string, preview: unknown, at: string): Promise<number> => {
    const params = [cloudId, kind, title, JSON.stringify(preview), at]
    const [made] = await query(CHANGE, params, anyRow<{ id: number }>())
    const id = made?.id ?? 0
    await query(AUDIT, [at, cloud, 'change.finish', `change:${id}`, '{"state": "done"}'])
    return id
  }
  const capacities = [
    { before: 4, after: 0 },
    { before: 0, after: 12 },
  ]
  await finish('2 A40 to A40-4Q', 'type', { typeChange: { capacities } }, '2026-11-25T10:00:00Z')
  const orphans = await finish('Remove orphan mdevs', 'orphans', {}, '2026-11-26T10:00:00Z')
  await query(STEP, [orphans, '{"task": {"kind": "remove-mdev", "host": "cmp-1"}}'])
  await query(AUDIT, [
    '2026-11-26T09:59:00Z',
    cloud,
    'change.step.happened',
    `change:${orphans}/step:1`,
    '{"state": "done", "intent": {"uuid": "u"}}',
  ])
  await finish('Of another month', 'type', {}, '2026-12-01T00:00:00Z')
}

const writeFindings = async ({ query }: Database, { cloudId }: Cloud): Promise<void> => {
  const open = async (
    key: string,
    severity: string,
    at: string,
    { sentence, host = null }: { sentence: string; host?: string | null },
  ): Promise<number> => {
    const params = [cloudId, key, severity, '{"sentence": "as it is told now"}', at, host]
    const [made] = await query(FINDING, params, anyRow<{ id: number }>())
    await query(EVENT, [made?.id, at, 'opened', severity, sentence])
    return made?.id ?? 0
  }
  await open('starts-not', 'error', '2026-11-20T10:00:00Z', {
    sentence: 'nova-compute would not start',
    host: 'cmp-1',
  })
  const reworded = 'as it was told of cmp-2 in November'
  const silenced = await open('reworded', 'warning', '2026-11-21T10:00:00Z', {
    sentence: reworded,
    host: 'cmp-2',
  })
  // Its acknowledgement ended: it was there all the time.
  await query(EVENT, [silenced, '2026-11-23T10:00:00Z', 'reopened', 'warning', reworded])
  const closed = await open('gone', 'error', '2026-11-22T10:00:00Z', { sentence: 'soon gone' })
  await query(EVENT, [closed, '2026-11-24T10:00:00Z', 'closed', 'error', 'soon gone'])
  await open('later', 'error', '2026-12-01T10:00:00Z', { sentence: 'of another month' })
}

/**
 * The events of a cloud in November 2026 in addition to its history: refused servers, changes and findings, and some of
 * other months.
 */
export const writeReviewEvents = async (database: Database, cloud: Cloud): Promise<void> => {
  await database.query(REFUSED, [cloud.cloudId])
  await writeChanges(database, cloud)
  await writeFindings(database, cloud)
}
