import { expect, test, vi } from 'vitest'
import { DAY_MS } from '@/lib/domain/history/series'
import { addGuestChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { findIdleVgpus } from './find-idle-vgpus'
import { type UsageHours, writeUsageHours } from './write-usage-hours'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

const NOW = Date.parse('2026-11-21T00:00:00Z')
const before = (days: number): number => NOW - days * DAY_MS
const [FIRST, SECOND] = ['0000:41:00.0', '0000:61:00.0']

type Stay = {
  host: string
  address?: string
  vgpu?: string
  /** Days before now: since when it was there, until when, and when this was measured with how many percent at most. */
  from: number
  until?: number
  measured?: [from: number, until: number, percent?: number][]
  types?: string[]
}

/** Servers with their stays, one after the other; all hosts are measured from 60 days before now on. */
const newCloud = async (servers: Record<string, Stay[]>): Promise<number> => {
  const { id: cloudId } = await world.newCloud()
  const { query, prisma } = world.database()
  const hosts = new Map<string, number>()
  for (const name of new Set(Object.values(servers).flatMap((stays) => stays.map(({ host }) => host)))) {
    const pgpus = [{ address: FIRST }, { address: SECOND }]
    hosts.set(name, await writeHost(world.database(), { cloudId, name, pgpus }))
    const hours = new Array(24).fill({ utilization: null, usedMib: null, totalMib: 1 })
    const card = { address: FIRST, vgpu: null, guest: null, hours }
    await writeUsageHours(query, { hostId: hosts.get(name) ?? 0, day: before(60), series: [card] })
  }
  let sequence = 0
  const measuredDays = new Map<string, UsageHours[]>()
  for (const [guest, stays] of Object.entries(servers))
    for (const stay of stays) {
      const { host, address = FIRST, vgpu = `mdev on ${host}`, from, until, measured = [], types } = stay
      const hostId = hosts.get(host) ?? 0
      const held = (types ?? ['nvidia-222']).map((typeId) => ({ address, typeId }))
      const change = async (at: number, holdings: typeof held) => {
        sequence += 1
        const [addresses, typeIds] = [
          holdings.map((holding) => holding.address),
          holdings.map((holding) => holding.typeId),
        ]
        await addGuestChange(query, { hostId, sequence, guest, at: new Date(at), addresses, typeIds })
      }
      await change(before(from), held)
      if (until !== undefined) await change(before(until), [])
      const uuid = guestUuid(guest)
      const stands = await prisma.guest.findFirst({ where: { hostId, uuid } })
      if (until === undefined && stands === null)
        await prisma.guest.create({ data: { hostId, uuid, name: guest } })
      for (const [first, last, percent = 0] of measured)
        for (let day = first; day > last; day -= 1) {
          const utilization = { count: 60, min: 0, average: percent / 2, max: percent }
          const hours = new Array(24).fill({ utilization, usedMib: null, totalMib: null })
          const key = `${hostId} ${before(day)}`
          const one = { address, vgpu, guest: guestUuid(guest), hours }
          measuredDays.set(key, [...(measuredDays.get(key) ?? []), one])
        }
    }
  for (const [key, series] of measuredDays) {
    const [hostId, day] = key.split(' ').map(Number)
    await writeUsageHours(query, { hostId: hostId ?? 0, day: day ?? 0, series })
  }
  return cloudId
}

const found = async (cloudId: number, days = 14) => {
  const terms = { cloudId, asOf: new Date(NOW), days, thresholdPercent: 1 }
  const { idle, unmeasured } = await findIdleVgpus(world.database().query, terms)
  return [
    idle.map(({ server, since, hosts }) => [server, (NOW - since.getTime()) / DAY_MS, hosts]),
    unmeasured.map(({ server, reason }) => [server, reason]),
  ]
}

test('a server that was moved to another host continues being idle there', async () => {
  const cloudId = await newCloud({
    moved: [
      {
        host: 'cmp-1',
        from: 50,
        until: 5,
        measured: [
          [50, 40, 60],
          [40, 5],
        ],
      },
      { host: 'cmp-2', from: 5, measured: [[5, 0]] },
    ],
    busyBefore: [
      { host: 'cmp-1', address: SECOND, from: 50, until: 9, measured: [[50, 9, 30]] },
      { host: 'cmp-2', address: SECOND, from: 9, measured: [[9, 0]] },
    ],
    new: [{ host: 'cmp-2', from: 5, measured: [[5, 0]] }],
  })
  expect(await found(cloudId)).toEqual([[['moved', 40, ['cmp-1', 'cmp-2']]], []])
  expect((await found(cloudId, 7))[0]).toEqual([
    ['moved', 40, ['cmp-1', 'cmp-2']],
    ['busyBefore', 9, ['cmp-2']],
  ])
})

test('so does one whose mdev got another uuid or lies on another pGPU of its host', async () => {
  const cloudId = await newCloud({
    recreated: [
      { host: 'cmp-1', vgpu: 'mdev-1', from: 30, measured: [[30, 10]] },
      { host: 'cmp-1', vgpu: 'mdev-2', from: 10, measured: [[10, 0]] },
    ],
    across: [
      { host: 'cmp-1', from: 30, until: 10, measured: [[30, 10]] },
      { host: 'cmp-1', address: SECOND, from: 10, measured: [[10, 0]] },
    ],
  })
  const [idle] = await found(cloudId)
  expect(idle).toHaveLength(2)
  expect(idle).toContainEqual(['recreated', 30, ['cmp-1']])
  expect(idle).toContainEqual(['across', 30, ['cmp-1']])
})

test('time on a host that does not measure is a gap, never idle time', async () => {
  const cloudId = await newCloud({
    mostlyUnseen: [
      { host: 'cmp-1', from: 40, until: 36, measured: [[40, 36]] },
      { host: 'blind', from: 36, until: 4 },
      { host: 'cmp-2', from: 4, measured: [[4, 0]] },
    ],
    stillUnseen: [
      { host: 'cmp-1', from: 40, until: 5, measured: [[40, 5]] },
      { host: 'blind', from: 5 },
    ],
    shortlyUnseen: [
      { host: 'cmp-1', from: 40, until: 8, measured: [[40, 8]] },
      { host: 'blind', from: 8, until: 4 },
      { host: 'cmp-2', from: 4, measured: [[4, 0]] },
    ],
  })
  const [idle, unmeasured] = await found(cloudId)
  expect(idle).toEqual([['shortlyUnseen', 40, ['cmp-1', 'cmp-2']]])
  expect(unmeasured).toHaveLength(2)
  expect(unmeasured).toContainEqual(['mostlyUnseen', 'gaps'])
  expect(unmeasured).toContainEqual(['stillUnseen', 'not-lately'])
})

test('a server of another cloud with the same uuid is another one', async () => {
  const other = { host: 'cmp-1', from: 40, until: 5, measured: [[40, 5] as [number, number]] }
  await newCloud({ twin: [other] })
  const cloudId = await newCloud({ twin: [{ host: 'cmp-1', from: 5, measured: [[5, 0]] }] })
  expect(await found(cloudId)).toEqual([[], []])
})
