import { expect, test, vi } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { anyRow } from '@/lib/server/testing/any-row'
import { cloudHistoryEnd } from '@/lib/services/history/history-end'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import { disagreements, type Readings, readTotals } from './testing/total-readings'

vi.setConfig({ testTimeout: 240_000 })

const SECOND = 1000
const PERIOD = '2026-11'
const OLD = new Date('2026-01-01T00:00:00Z')
/** GPUs for passthrough, and files that the agent can't read. */
const [SILENT, LATE, PASSTHROUGH, UNREADABLE, OTHER] = [
  'cmp-r2-07',
  'cmp-r5-01',
  'cmp-r7-01',
  'cmp-r7-03',
  'cmp-r1-01',
] as const
const HOSTS = [SILENT, LATE, PASSTHROUGH, UNREADABLE, OTHER]
const world = createReadWorld({ hosts: HOSTS })

const cloudId = async (): Promise<number> => {
  const [row] = await world
    .database()
    .query('SELECT id FROM cloud WHERE name = $1', [world.cloudName()], anyRow<{ id: number }>())
  return row?.id ?? 0
}

type StepTerms = { isMoving: boolean; seconds?: number; isRead?: boolean }

/** The clock advances, and the named hosts report. `isMoving`: servers come and go in the meantime. */
const step = async (
  hosts: readonly string[],
  { isMoving, seconds = 30, isRead = true }: StepTerms,
): Promise<void> => {
  world.pass(seconds * SECOND)
  if (isMoving) world.openstack().world.advance(30 * SECOND)
  const id = await cloudId()
  for (const { living } of world
    .openstack()
    .world.hosts.filter(({ living: { name } }) => hosts.includes(name))) {
    const inventory = await scanHost({ root: living.root, hostName: living.name })
    await storeReport(world.database(), { cloudId: id, inventory, seenAt: world.at().now() })
  }
  if (isRead) await world.reading().readRound()
}
const steps = async (count: number, hosts: readonly string[], terms: StepTerms) => {
  for (let at = 0; at < count; at += 1) await step(hosts, terms)
}

const rollUp = async (): Promise<void> => {
  const [id, { now, silentAfterSeconds }] = [await cloudId(), world.at()]
  const horizon = new Date(await cloudHistoryEnd(world.database().query, id, { now, silentAfterSeconds }))
  const terms = { cloudId: id, horizon, hoursSince: OLD, changesSince: OLD }
  await rollUpCloud(world.database(), terms)
}

/** Nothing changes for an hour, so that the review, which goes by whole hours, has the numbers of now. */
const restAnHour = (hosts: readonly string[]) =>
  steps(15, hosts, { isMoving: false, seconds: 240, isRead: false })

const read = async (): Promise<Readings> => {
  await rollUp()
  return readTotals(world.at(READER), { cloud: world.cloudName(), period: PERIOD })
}

test('every page, file, API and metric has the same totals at one moment of a moving cloud', async () => {
  const reporting = HOSTS.filter((host) => host !== SILENT)
  await steps(6, HOSTS, { isMoving: true })
  await restAnHour(HOSTS)
  await steps(2, HOSTS, { isMoving: false })
  const before = await read()
  expect(disagreements(before)).toEqual([])
  expect(before.overview).toMatchObject({ vgpus: { lastCapacity: 0 }, passthrough: { capacity: 1 } })

  // One host falls silent while servers come and go, and another one is late by 90 s at the end.
  await steps(6, reporting, { isMoving: true })
  await restAnHour(reporting)
  await steps(3, [PASSTHROUGH, UNREADABLE, OTHER], { isMoving: false })
  const after = await read()
  expect(disagreements(after)).toEqual([])
  const vgpus: Readings[string]['vgpus'] = after.overview?.vgpus ?? {}
  expect(vgpus.capacity).toBe(before.overview?.vgpus.capacity)
  expect(vgpus.lastCapacity).toBeGreaterThan(0)
  expect(vgpus.unknown).toBeGreaterThan(0)

  // Each source that reads at another position is detected.
  for (const [name, old] of Object.entries(before).filter(([source]) => source !== 'overview')) {
    const found = disagreements({ ...after, [name]: old })
    expect(found.length, name).toBeGreaterThan(0)
    expect(
      found.every((sentence) => sentence.startsWith(`${name}:`)),
      name,
    ).toBe(true)
  }
})

test('a late host changes neither the totals nor the curve before it counts as silent', async () => {
  const punctual = HOSTS.filter((host) => host !== LATE)
  await steps(6, HOSTS, { isMoving: false })
  const before = await read()
  // As a last heartbeat leaves it that came 20 s after the scan of which it reports.
  await world
    .database()
    .query(
      `UPDATE host SET watched_at = watched_at - interval '20 seconds' WHERE cloud_id = $1 AND name = $2`,
      [await cloudId(), LATE],
    )
  for (let seconds = 30; seconds <= 120; seconds += 30) {
    await step(punctual, { isMoving: false })
    const { overview, capacity, 'capacity history': history } = await read()
    expect([overview?.vgpus, capacity?.vgpus]).toEqual([before.overview?.vgpus, before.overview?.vgpus])
    expect(history, `${seconds} s late`).toEqual(before['capacity history'])
  }
  await step(punctual, { isMoving: false })
  const { review: _hourly, ...silent } = await read()
  expect(disagreements(silent)).toEqual([])
  expect(silent.overview?.vgpus.capacity).toBe(before.overview?.vgpus.capacity)
  expect(silent.capacity?.vgpus.lastCapacity).toBeGreaterThan(0)
  // It watches again, and nothing is left of it.
  await steps(6, HOSTS, { isMoving: false })
  expect((await read()).overview?.vgpus).toEqual(before.overview?.vgpus)
})
