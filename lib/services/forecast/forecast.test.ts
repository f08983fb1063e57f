import { expect, test, vi } from 'vitest'
import { DAY_MS } from '@/lib/domain/history/series'
import { forecastSchema } from '@/lib/schemas/api/forecast'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { getForecast } from './get-forecast'
import { getForecastAsOf } from './get-forecast-as-of'
import { writeDays } from './testing/write-days'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 60_000 })

const TODAY = Math.floor(NOW.getTime() / DAY_MS) * DAY_MS
const DAYS = 200
const days = (count: number, used: (index: number) => number | null, capacity = 60) =>
  Array.from({ length: count }, (_, index) => {
    const value = used(index)
    return value === null ? null : { used: value, capacity }
  })

const newHistory = async () => {
  const cloud = await world.newCloud()
  const growing = days(DAYS, (index) => 10 + Math.floor(index / 5))
  await writeDays(world.database(), {
    cloudId: cloud.id,
    from: TODAY - DAYS * DAY_MS,
    until: NOW.getTime(),
    groups: [
      { dimension: 'all', key: '', days: growing },
      { dimension: 'type', key: 'nvidia-1', days: growing },
      { dimension: 'type', key: 'nvidia-2', days: days(DAYS, (index) => (index < DAYS - 12 ? 5 : 16), 16) },
      // Today is not over: it is no peak of a day yet.
      { dimension: 'type', key: 'nvidia-3', days: [...days(20, () => null), ...days(181, () => 0, 8)] },
      { dimension: 'type', key: 'nvidia-4', days: days(DAYS, () => 0, 0) },
      { dimension: 'aggregate', key: 'gpu', days: days(DAYS, (index) => (index < DAYS - 30 ? null : 3)) },
    ],
  })
  return cloud
}

test('each type has its growth and the date when it is full', async () => {
  const cloud = await newHistory()
  const answer = await getForecast(world.ctx(READER), { cloud: cloud.name })
  expect(forecastSchema.parse(answer)).toEqual(answer)
  expect(answer).toMatchObject({ by: 'type', until: '2026-11-21', leftOut: 0 })
  expect(answer.groups.map(({ key }) => key)).toEqual(['nvidia-1', 'nvidia-2', 'nvidia-3'])
  const [growing, full, idle] = answer.groups
  expect(growing).toMatchObject({
    label: 'NVIDIA-1',
    capacity: 60,
    growthPerWeek: 1.4,
    none: null,
    days: null,
  })
  // The 60th is used on day 250, the 10th of January.
  if (growing?.exhaustion?.kind !== 'dated') throw new Error('no date')
  const { earliest, likely, latest } = growing.exhaustion
  expect([earliest, likely, latest].toSorted()).toEqual([earliest, likely, latest])
  expect(earliest <= '2027-01-10' && (latest ?? '') >= '2027-01-10').toBe(true)
  expect(full?.exhaustion).toEqual({ kind: 'full', since: '2026-11-09' })
  expect(idle).toMatchObject({ used: 0, knownDays: 180, exhaustion: { kind: 'not-growing' } })
})

test('one group comes with its days and the forecast that follows them', async () => {
  const cloud = await newHistory()
  const { groups } = await getForecast(world.ctx(), { cloud: cloud.name, key: 'nvidia-1' })
  expect(groups).toHaveLength(1)
  const days = groups[0]?.days
  expect(days).toMatchObject({ from: '2026-05-05', forecastFrom: '2026-11-21' })
  expect(days?.used).toHaveLength(DAYS)
  expect(days?.likely).toHaveLength(180)
  expect(days?.likely.at(0)).toBeCloseTo(50, 0)
})

test('too short a history is stated, and an unknown group is no group', async () => {
  const cloud = await newHistory()
  const { groups } = await getForecast(world.ctx(), { cloud: cloud.name, by: 'aggregate' })
  expect(groups[0]).toMatchObject({
    key: 'gpu',
    used: 3,
    none: { reason: 'too-short', knownDays: 30, neededDays: 42 },
    exhaustion: null,
    growthPerWeek: null,
    errors: [],
  })
  expect((await getForecast(world.ctx(), { cloud: cloud.name, key: 'nvidia-9' })).groups).toEqual([])
  const empty = await world.newCloud()
  expect(await getForecast(world.ctx(), { cloud: empty.name })).toMatchObject({ until: null, groups: [] })
})

test('as of a moment in the past nothing counts that came after it', async () => {
  const cloud = await newHistory()
  const { query } = world.database()
  const terms = { cloudId: cloud.id, by: 'type' as const }
  const then = await getForecastAsOf(query, { ...terms, asOf: TODAY - 20 * DAY_MS })
  expect(then.map(({ key }) => key)).toEqual(['nvidia-1', 'nvidia-2', 'nvidia-3'])
  expect(then[1]).toMatchObject({ used: 5, knownDays: 180, exhaustion: { kind: 'not-growing' } })
  expect(await getForecastAsOf(query, { ...terms, asOf: TODAY - 190 * DAY_MS })).toMatchObject([
    { key: 'nvidia-1', none: { reason: 'too-short', knownDays: 10, neededDays: 42 } },
    { key: 'nvidia-2' },
  ])
})

test('a forecast of one group uses the history until the given date, and never after now', async () => {
  const cloud = await newHistory()
  const until = new Date(TODAY - 20 * DAY_MS).toISOString()
  const then = await getForecast(world.ctx(), { cloud: cloud.name, by: 'type', key: 'nvidia-2', until })
  expect(then).toMatchObject({ until: '2026-11-01', groups: [{ key: 'nvidia-2', used: 5 }] })
  const later = await getForecast(world.ctx(), { cloud: cloud.name, until: '2030-01-01T00:00:00Z' })
  expect(later.until).toBe('2026-11-21')
})

test('a tenant is refused', async () => {
  await expect(getForecast(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
})
