import { expect, test, vi } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { reportJson } from '@/lib/server/agent-api/testing/agent-console'
import { createAgentWorld } from '@/lib/server/agent-api/testing/agent-world'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestContext } from '@/lib/server/testing/test-database'
import { getCapacitySeries } from '@/lib/services/capacity/get-capacity-series'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { READER } from '@/lib/services/testing/service-world'
import { listHosts } from './list-hosts'
import { listRemovalSuggestions } from './list-removal-suggestions'
import { listRemovedHosts } from './list-removed-hosts'
import { mergeHost, previewMerge } from './merge-host'
import { removeHosts } from './remove-hosts'
import { restoreHost } from './restore-host'

vi.setConfig({ testTimeout: 60_000 })

const at = (time: string): Date => new Date(`2026-03-01T${time}:00Z`)
const world = createAgentWorld({ startAt: at('08:00') })
const { agents, database, now } = world

const ctx = (actor?: typeof READER) =>
  createTestContext({ database: database(), now, ...(actor === undefined ? {} : { actor }) })

/** A host with a card for each UUID. */
const inventoryOf = (name: string, uuids: readonly string[]): Inventory => {
  const base = t4SeedHost()
  const gpus = base.gpus.slice(0, uuids.length)
  return {
    ...base,
    host: { ...base.host, name },
    gpus,
    mdevs: [],
    guests: [],
    nvidiaSmi: {
      driverVersion: '550.54.15',
      gpus: gpus.map(({ address }, index) => ({
        address,
        name: 'Tesla T4',
        uuid: uuids[index] ?? null,
        framebufferMib: 15_360,
        migMode: null,
        heterogeneousMode: null,
        vgpus: [],
      })),
    },
  }
}

type Host = { name: string; uuids: readonly string[] }

/** Enrols a host and has it watched from a time to another one, with a report every four minutes. */
const reportFrom = async ({ name, uuids }: Host, from: Date, until: Date): Promise<void> => {
  world.setClock(from)
  const credential = await agents().enrolled(name)
  const inventory = inventoryOf(name, uuids)
  let sequence = 0
  for (let time = from.getTime(); time <= until.getTime(); time += 240_000) {
    world.setClock(new Date(time))
    sequence += 1
    const json = reportJson({ inventory, position: { boot: 1, sequence }, takenAt: now() })
    expect((await agents().report(credential, json)).status).toBe(200)
  }
}

const OLD: Host = { name: 'cmp-old', uuids: ['GPU-1', 'GPU-2'] }
const NEW: Host = { name: 'cmp-new', uuids: ['GPU-1', 'GPU-2'] }
const LAB = { cloud: 'lab' }
const merge = (changed: Partial<Parameters<typeof mergeHost>[1]> = {}, actor?: typeof READER) =>
  mergeHost(ctx(actor), { ...LAB, host: NEW.name, from: OLD.name, reason: 'renamed', ...changed })

/** The old name reports from 08:00 to 10:00, the new one from 11:00 to 13:00. */
const rename = async (renamed: Host = NEW) => {
  await reportFrom(OLD, at('08:00'), at('10:00'))
  await reportFrom(renamed, at('11:00'), at('13:00'))
}

const fleetHours = async (): Promise<(number | null)[]> => {
  const [cloud] = await database().query(
    `SELECT id FROM cloud WHERE name = 'lab'`,
    [],
    anyRow<{ id: number }>(),
  )
  const since = new Date(now().getTime() - 30 * 86_400_000)
  const terms = { cloudId: cloud?.id ?? 0, horizon: at('13:00'), hoursSince: since, changesSince: since }
  await rollUpCloud(database(), terms)
  const range = { ...LAB, from: at('08:00').toISOString(), until: at('13:00').toISOString() }
  const { series } = await getCapacitySeries(ctx(), range)
  return (series[0]?.capacity ?? []).map((known, index) => (known ?? 0) + (series[0]?.unseen[index] ?? 0))
}

/** The capacity of a host in the middle of each hour. */
const hostHours = async (host: string): Promise<(number | null | undefined)[]> => {
  const range = { from: at('08:00').toISOString(), until: at('13:00').toISOString() }
  const { series, stepSeconds } = await getCapacitySeries(ctx(), { ...LAB, ...range, by: 'host', host })
  return [0, 1, 2, 3, 4].map((hour) => series[0]?.capacity[Math.floor(((hour + 0.5) * 3600) / stepSeconds)])
}

const merges = () => database().prisma.auditEntry.findMany({ where: { action: 'host.merge' } })

test('a renamed host is suggested, and continues the history of its old name', async () => {
  await rename()
  const { hosts } = await listRemovalSuggestions(ctx(READER), LAB)
  expect(hosts).toMatchObject([{ host: OLD.name, hasReported: true, gpuCount: 2, continuedBy: NEW.name }])
  const [own] = (await listHosts(ctx(), LAB)).hosts
  const capacity = own?.capacity ?? 0
  // Before the merge, the GPUs count under both names.
  expect((await fleetHours()).slice(3)).toEqual([capacity * 2, capacity * 2])

  expect(await previewMerge(ctx(READER), { ...LAB, host: NEW.name, from: OLD.name })).toMatchObject({
    firstKnownAt: at('08:00').toISOString(),
    lastKnownAt: at('10:00').toISOString(),
    continuesAt: at('11:00').toISOString(),
    matchingGpus: 2,
    gpuCount: 2,
    refusal: null,
  })
  await merge()
  expect((await listHosts(ctx(), LAB)).hosts.map(({ name }) => name)).toEqual([NEW.name])
  expect((await listRemovedHosts(ctx(), LAB)).hosts).toMatchObject([
    { name: OLD.name, reason: 'renamed', mergedInto: NEW.name },
  ])
  expect((await fleetHours()).slice(3)).toEqual([capacity, capacity])
  expect(await hostHours(NEW.name)).toEqual([capacity, capacity, null, capacity, capacity])
  expect(await merges()).toMatchObject([
    { actor: 'user:local-admin', subject: `host:${NEW.name}`, before: { from: OLD.name } },
  ])
  expect((await listRemovalSuggestions(ctx(), LAB)).hosts).toEqual([])
})

test('merging twice changes nothing, and only an admin of the cloud merges', async () => {
  await rename()
  const before = (await merges()).length
  await expect(merge({}, READER)).rejects.toMatchObject({ code: 'forbidden' })
  await addCloud(database(), 'other')
  await expect(merge({ cloud: 'other' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(merge({ from: 'cmp-none' })).rejects.toMatchObject({ code: 'not_found', field: 'from' })
  await expect(merge({ from: NEW.name })).rejects.toMatchObject({ code: 'validation', field: 'from' })
  await Promise.all([merge(), merge()])
  await merge()
  expect(await merges()).toHaveLength(before + 1)
})

test('hosts that reported at the same time are two hosts', async () => {
  await reportFrom(OLD, at('08:00'), at('10:00'))
  await reportFrom(NEW, at('09:00'), at('11:00'))
  await expect(merge()).rejects.toThrow(
    'cmp-old reported until 2026-03-01T10:00:00.000Z, and cmp-new reports since 2026-03-01T09:00:00.000Z',
  )
  expect((await listHosts(ctx(), LAB)).hosts).toHaveLength(2)
  expect((await listRemovalSuggestions(ctx(), LAB)).hosts).toEqual([])
})

test('a host with other GPUs continues nothing, and is not suggested', async () => {
  await rename({ name: NEW.name, uuids: ['GPU-8', 'GPU-9'] })
  await expect(merge()).rejects.toThrow('cmp-new reports none of the 2 GPUs of cmp-old')
  expect((await listRemovalSuggestions(ctx(), LAB)).hosts).toEqual([])
})

test('a removed host is merged, and restored when that was a mistake', async () => {
  await rename()
  await removeHosts(ctx(), { ...LAB, hosts: [OLD.name], reason: 'scrapped' })
  const before = await hostHours(NEW.name)
  await merge()
  const after = await hostHours(NEW.name)
  expect(before).toEqual([null, null, null, 2, 2])
  expect(after).toEqual([2, 2, null, 2, 2])
  const [removed] = (await listRemovedHosts(ctx(), LAB)).hosts
  await restoreHost(ctx(), { id: removed?.id ?? 0, reason: 'another host' })
  expect((await listHosts(ctx(), LAB)).hosts.map(({ name }) => name)).toEqual([NEW.name, OLD.name])
  expect(await hostHours(NEW.name)).toEqual(before)
})

test('a host that is silent for 30 days is suggested for removal, one that is silent for 29 days is not', async () => {
  await reportFrom(OLD, at('08:00'), at('08:00'))
  world.setClock(new Date(at('08:00').getTime() + 29 * 86_400_000))
  expect((await listRemovalSuggestions(ctx(), LAB)).hosts).toEqual([])
  world.setClock(new Date(at('08:00').getTime() + 30 * 86_400_000))
  expect(await listRemovalSuggestions(ctx(), LAB)).toEqual({
    cloud: 'lab',
    afterDays: 30,
    hosts: [
      {
        host: OLD.name,
        silentSince: at('08:00').toISOString(),
        hasReported: true,
        gpuCount: 2,
        continuedBy: null,
      },
    ],
  })
})

test('the agent of a removed host is refused, and what comes late adds nothing to its history', async () => {
  world.setClock(at('08:00'))
  const credential = await agents().enrolled(OLD.name)
  const send = (sequence: number) =>
    agents().report(
      credential,
      reportJson({
        inventory: inventoryOf(OLD.name, OLD.uuids),
        position: { boot: 1, sequence },
        takenAt: now(),
      }),
    )
  expect((await send(1)).status).toBe(200)
  await removeHosts(ctx(), { ...LAB, hosts: [OLD.name], reason: 'scrapped', force: true })
  const rows = await database().query('SELECT * FROM pgpu_change ORDER BY at')
  const late = await send(2)
  expect([late.status, late.body.error.code]).toEqual([401, 'unauthorized'])
  expect(await database().query('SELECT * FROM pgpu_change ORDER BY at')).toEqual(rows)
})
