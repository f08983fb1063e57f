import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { FRAMEWORKS } from '@/lib/schemas/frameworks'
import { ROLES } from '@/lib/schemas/roles'
import { SERVICE_STATES } from '@/lib/schemas/service-states'
import { SEVERITIES } from '@/lib/schemas/severity'
import {
  CHANGE_STATES,
  COMMAND_STATES,
  DELIVERY_STATES,
  DIMENSIONS,
  ENROLLMENT_DECISIONS,
  FINDING_EVENT_KINDS,
  HOLD_REASONS,
  MINUTE_PAGE_KINDS,
  QUOTA_DRIVERS,
  REFUSAL_REASONS,
  REQUEST_STATES,
  REVIEW_FILTERS,
  ROLL_UP_STEPS,
  SCOPE_KINDS,
  SERVER_REQUEST_STATES,
  SESSION_END_REASONS,
  SIGN_IN_METHODS,
  STEP_STATES,
  TOKEN_ACCESS,
  USAGE_KINDS,
  WARNED_DIMENSIONS,
  WEBHOOK_FORMS,
} from '@/lib/schemas/states'
import { SUBJECT_KINDS } from '@/lib/schemas/subject-kinds'
import { createTestDatabase } from '@/lib/server/testing/test-database'
import type { Database } from './database'

const STATE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'agent_command.state': COMMAND_STATES,
  'api_token.access': TOKEN_ACCESS,
  'api_token.role': ROLES,
  'api_token.scope_kind': SCOPE_KINDS,
  'capacity_roll_up.dimension': DIMENSIONS,
  'capacity_roll_up.step': ROLL_UP_STEPS,
  'change.state': CHANGE_STATES,
  'change_step.state': STEP_STATES,
  'expected_exhaustion.dimension': WARNED_DIMENSIONS,
  'finding.severity': SEVERITIES,
  'finding.subject_kind': SUBJECT_KINDS,
  'finding_event.kind': FINDING_EVENT_KINDS,
  'finding_event.severity': SEVERITIES,
  'pending_enrollment.decision': ENROLLMENT_DECISIONS,
  'pending_enrollment.reason': HOLD_REASONS,
  'pgpu.finding_severity': SEVERITIES,
  'pgpu.framework': FRAMEWORKS,
  'pgpu_cloud.finding_severity': SEVERITIES,
  'pgpu_cloud.service_state': SERVICE_STATES,
  'pgpu_cloud_change.service_state': SERVICE_STATES,
  'pgpu_point.framework': FRAMEWORKS,
  'quota_driver.driver': QUOTA_DRIVERS,
  'quota_request.state': REQUEST_STATES,
  'server_request.state': SERVER_REQUEST_STATES,
  'refused_server.reason': REFUSAL_REASONS,
  'review.filter_by': REVIEW_FILTERS,
  'roll_up_label.dimension': DIMENSIONS,
  'session.end_reason': SESSION_END_REASONS,
  'session.method': SIGN_IN_METHODS,
  'session.role': ROLES,
  'session.scope_kind': SCOPE_KINDS,
  'utilisation_day.kind': USAGE_KINDS,
  'utilisation_five.kind': USAGE_KINDS,
  'utilisation_hour.kind': USAGE_KINDS,
  'utilisation_minute.kind': MINUTE_PAGE_KINDS,
  'utilisation_roll_up.dimension': DIMENSIONS,
  'utilisation_roll_up.step': ROLL_UP_STEPS,
  'utilisation_vgpu_hour.kind': USAGE_KINDS,
  'webhook.finding_severity': SEVERITIES,
  'webhook.form': WEBHOOK_FORMS,
  'webhook_delivery.state': DELIVERY_STATES,
}

/** Texts with such a name that are no states: a person's sentence, or a list that a new plan or part extends. */
const FREE_TEXTS = ['change.kind', 'quota_request.reason']

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const CHECKS = `
SELECT c.conrelid::regclass || '.' || a.attname AS "column", pg_get_constraintdef(c.oid) AS definition
FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
JOIN pg_class t ON t.oid = c.conrelid
WHERE c.contype = 'c' AND NOT t.relispartition AND a.atttypid = 'text'::regtype ORDER BY 1`
const checkRow = z.object({ column: z.string(), definition: z.string() })

test('the database allows the values of the lists and no others', async () => {
  const checks = await database.query(CHECKS, [], checkRow)
  const allowed = Object.fromEntries(
    checks.map(({ column, definition }) => [
      column.replaceAll('"', ''),
      [...definition.matchAll(/'([^']*)'::text/g)].map(([, value]) => value),
    ]),
  )
  expect(allowed).toEqual(STATE_COLUMNS)
})

const TEXTS = `
SELECT table_name || '.' || column_name AS "column" FROM information_schema.columns
JOIN pg_class t ON t.oid = format('%I.%I', table_schema, table_name)::regclass
WHERE table_schema = 'public' AND data_type = 'text' AND t.relkind IN ('r', 'p') AND NOT t.relispartition
  AND column_name ~ '(^|_)(state|severity|kind|role|reason|access|decision|form|framework|driver|method|step|dimension)$'
  AND column_name NOT IN ('unknown_reason', 'removed_reason', 'stop_reason')
ORDER BY 1`

test('each text column with the name of a state has a list', async () => {
  const texts = await database.query(TEXTS, [], z.object({ column: z.string() }))
  const unlisted = texts.map(({ column }) => column).filter((column) => !(column in STATE_COLUMNS))
  expect(unlisted).toEqual(FREE_TEXTS)
})

const COLUMNS = `
SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attnotnull AND NOT attisdropped`

test('a row with another value is refused, on each state column', async () => {
  for (const [column, values] of Object.entries(STATE_COLUMNS)) {
    const [table, name] = column.split('.')
    // The same constraints without the other columns that a row needs.
    await database.query(`CREATE TABLE probe (LIKE "${table}" INCLUDING CONSTRAINTS)`)
    for (const needed of await database.query(COLUMNS, ['probe'], z.object({ name: z.string() })))
      await database.query(`ALTER TABLE probe ALTER COLUMN "${needed.name}" DROP NOT NULL`)
    const insert = (value: string) => database.query(`INSERT INTO probe ("${name}") VALUES ($1)`, [value])
    for (const value of values) await insert(value)
    await expect(insert('another'), column).rejects.toMatchObject({ code: '23514' })
    await expect(insert((values[0] ?? '').toUpperCase()), column).rejects.toMatchObject({ code: '23514' })
    await database.query('DROP TABLE probe')
  }
})
