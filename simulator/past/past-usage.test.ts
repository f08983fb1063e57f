import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseUsage } from '@/agent/collect/smi-usage'
import { seriesKey } from '@/lib/domain/utilization/sample'
import { demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { makePast } from './make-past'
import { measurePast, usageDays } from './past-usage'

const END = new Date('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const FLEET = demoFleet({ seed: 3, startAt: END })

const measure = (name: string) => {
  const fleet = FLEET.filter((host) => host.spec.name === name)
  const [spec] = fleet.map((host) => host.spec)
  const past = makePast({ fleet, seed: 3, end: END, days: 20 })
  const [host] = past.hosts
  if (spec === undefined || host === undefined) return expect.fail(name)
  return { spec, host, days: [...measurePast(spec, { past: host, days: usageDays(past), vgpusSince: 0 })] }
}

it('measures the same again, and nothing outside watched intervals', () => {
  const { host, days } = measure('cmp-r4-02')
  expect(measure('cmp-r4-02').days).toEqual(days)
  const isWatched = (at: number) => host.watches.some(({ since, until }) => since < at + HOUR && until > at)
  const hours = days.flatMap(({ day, series }) =>
    series.flatMap((one) => one.hours.map((slot, hour) => ({ slot, at: day + hour * HOUR, vgpu: one.vgpu }))),
  )
  for (const { slot, at, vgpu } of hours)
    if (!isWatched(at)) expect(slot).toBeNull()
    else if (vgpu === null) expect(slot).not.toBeNull()
  expect(hours.filter(({ at }) => !isWatched(at)).length).toBeGreaterThan(0)
})

it('keeps within the card, and cards are as busy as their vGPUs', () => {
  for (const { series } of measure('cmp-r1-02').days)
    for (const card of series.filter(({ vgpu }) => vgpu === null)) {
      const own = series.filter(({ vgpu, address }) => vgpu !== null && address === card.address)
      for (const [hour, slot] of card.hours.entries()) {
        if (slot?.utilization == null || slot.usedMib === null) continue
        const { min, average, max } = slot.utilization
        expect([min <= average, average <= max, max <= 100]).toEqual([true, true, true])
        expect(slot.usedMib.max).toBeLessThan(slot.totalMib ?? 0)
        const sum = own.reduce((total, { hours }) => {
          const { average: part = 0, count = 0 } = hours[hour]?.utilization ?? {}
          return total + (part * count) / (slot.utilization?.count ?? 1)
        }, 0)
        expect(Math.abs(Math.min(100, sum) - average)).toBeLessThan(0.1)
      }
    }
})

it('ends with the series that agents then sample', () => {
  const directory = makeTemporaryDirectory('usage')
  try {
    for (const name of ['cmp-r1-02', 'cmp-r5-01', 'cmp-r6-02']) {
      const { spec, days } = measure(name)
      const root = path.join(directory, name)
      writeHostTree(root, spec)
      const textOf = (file: string) => readFileSync(path.join(root, '.sliceboard/commands', file), 'utf8')
      const sampled = parseUsage({
        gpuText: textOf('nvidia-smi-q.txt'),
        vgpuText: textOf('nvidia-smi-vgpu-q.txt'),
      })
      const names = sampled.flatMap(({ address, totalMib, vgpus }) => [
        [seriesKey({ address, vgpu: null, guest: null }), totalMib],
        ...vgpus.map(({ vgpu, guestUuid, totalMib: own }) => [
          seriesKey({ address, vgpu, guest: guestUuid }),
          own,
        ]),
      ])
      const last = (days.at(-1)?.series ?? []).filter(({ hours }) => hours[11] !== null)
      const totals = new Map(last.map((one) => [seriesKey(one), one.hours[11]?.totalMib]))
      expect(names.length).toBeGreaterThan(spec.gpus.length)
      for (const [key, totalMib] of names)
        expect([name, key, totals.get(String(key))]).toEqual([name, key, totalMib])
    }
  } finally {
    removeTree(directory)
  }
})
