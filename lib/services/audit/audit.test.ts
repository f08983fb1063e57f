import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditPageSchema } from '@/lib/schemas/api/audit'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { createTestContext, createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { checkAudit } from './check-audit'
import { exportAudit } from './export-audit'
import { listAudit } from './list-audit'

const START = Date.parse('2026-03-01T12:00:00Z')
const ENTRIES = 230

let database: Database

const accountOf = (cloud: string, role: 'admin' | 'reader' | 'tenant'): Actor => ({
  kind: 'user',
  name: 'anna@Default',
  roles: [role],
  account: {
    cloud,
    userId: 'u1',
    userName: 'anna',
    userDomain: 'Default',
    scope: { kind: 'system' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
  },
})

const ctxOf = (actor: Actor) =>
  createTestContext({ database, actor, now: () => new Date('2026-03-02T00:00:00Z') })
const reader = () => ctxOf(accountOf('paris', 'reader'))

const write = (cloud: string, index: number) =>
  database.transaction(({ query }) =>
    writeAudit(query, {
      at: new Date(START + index * 60_000),
      cloud,
      actor: index % 2 === 0 ? { kind: 'user', name: 'bea', roles: [] } : { kind: 'system' },
      action: index % 10 === 0 ? 'change.start' : 'change.step.begin',
      subject: `change:${Math.floor(index / 10)}/100%`,
      before: null,
      after: { index, note: '=1+1, "two"\nlines' },
    }),
  )

beforeAll(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'paris')
  await addCloud(database, 'rome')
  for (let index = 0; index < ENTRIES; index++) await write('paris', index)
  await write('rome', 0)
}, 60_000)

afterAll(() => database.close())

const indexes = (entries: readonly { after?: unknown }[]): unknown[] =>
  entries.map(({ after }) => (after as { index: number }).index)

test('pages go from the newest entry to the oldest, none twice and none left out', async () => {
  const seen: unknown[] = []
  for (let before: number | null = null; ; ) {
    const page = auditPageSchema.parse(await listAudit(reader(), { cloud: null, before }))
    seen.push(...indexes(page.entries))
    if (page.next === null) break
    before = page.next
  }
  expect(seen).toEqual(Array.from({ length: ENTRIES }, (_, index) => ENTRIES - 1 - index))
})

test('who, what, on what and when narrow together, and signs of patterns are letters', async () => {
  const minute = (index: number) => new Date(START + index * 60_000).toISOString()
  const find = async (filter: object) =>
    indexes((await listAudit(reader(), { cloud: null, ...filter })).entries)
  expect(await find({ who: 'BEA', from: minute(10), until: minute(15) })).toEqual([14, 12, 10])
  expect(await find({ on: 'change:2/100%' })).toHaveLength(10)
  expect(await find({ on: 'change:_/' })).toEqual([])
  expect(await find({ what: 'session' })).toEqual([])
  expect(await find({ what: 'change', who: 'system', until: minute(4) })).toEqual([3, 1])
})

test('a filter that is none is refused by name', async () => {
  await expect(listAudit(reader(), { cloud: null, from: 'yesterday' })).rejects.toThrow(/from/)
  await expect(listAudit(reader(), { cloud: null, before: 0 })).rejects.toThrow(/before/)
})

test('an account reads its own cloud alone, a tenant nothing', async () => {
  const rome = ctxOf(accountOf('rome', 'admin'))
  expect((await listAudit(rome, { cloud: null })).entries.map(({ cloud }) => cloud)).toEqual(['rome'])
  await expect(listAudit(rome, { cloud: 'paris' })).rejects.toThrow(/no cloud named "paris"/)
  const tenant = ctxOf(accountOf('paris', 'tenant'))
  await expect(listAudit(tenant, { cloud: null })).rejects.toThrow(/read the audit/)
  await expect(exportAudit(tenant, { cloud: null, format: 'csv' })).rejects.toThrow(/read the audit/)
  await expect(checkAudit(tenant)).rejects.toThrow(/read the audit/)
})

const textOf = async (format: 'csv' | 'jsonl', filter: object = {}): Promise<string> => {
  const { parts } = await exportAudit(reader(), { cloud: null, format, ...filter })
  let text = ''
  for await (const part of parts) text += part
  return text
}

test('the file holds every entry that matches, oldest first, and nothing that a spreadsheet would run', async () => {
  const lines = (await textOf('jsonl')).trimEnd().split('\n')
  expect(indexes(lines.map((line) => JSON.parse(line)))).toEqual([...Array(ENTRIES).keys()])
  expect(JSON.parse(lines[1] ?? '').prevHash).toBe(JSON.parse(lines[0] ?? '').hash)
  const csv = await textOf('csv', { who: 'bea', until: '2026-03-01T12:01:00Z' })
  const [head, line] = csv.split('\r\n')
  expect(head).toBe('id,at,cloud,actor,action,subject,before,after,prev_hash,hash')
  expect(line).toMatch(/^\d+,2026-03-01T12:00:00\.000Z,paris,user:bea,change\.start,change:0\/100%,,"\{/)
  expect(await textOf('csv', { what: 'session' })).toBe(`${head}\r\n`)
})

test('the chain is checked whole, over the clouds', async () => {
  expect(await checkAudit(reader())).toMatchObject({ entries: ENTRIES + 1, broken: null })
})
