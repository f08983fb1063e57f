import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { editGpuProviders, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { cloudReadingSchema } from '@/lib/schemas/api/cloud-reading'
import { gpuSourcesSchema } from '@/lib/schemas/api/sources'
import { anyRow } from '@/lib/server/testing/any-row'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { getFinding } from '@/lib/services/finding/get-finding'
import { listFindings } from '@/lib/services/finding/list-findings'
import { getGpuSources } from '@/lib/services/gpu/get-gpu-sources'
import { listGpus } from '@/lib/services/gpu/list-gpus'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { encodePart } from './cloud-parts'
import { loadCloudFacts } from './facts-of-cloud'
import { getCloudReading } from './get-cloud-reading'
import { reuseUnchanged } from './read-cloud'

test('what did not change since the round before is the same object', async () => {
  const before = t4Cloud()
  const same = await reuseUnchanged(before.facts, structuredClone(before.facts))
  expect(same.providers.value).toBe(before.facts.providers.value)
  expect(same.servers.value).toBe(before.facts.servers.value)

  const edited = editGpuProviders(before, (provider) => ({ ...provider, traits: [] }))
  const after = await reuseUnchanged(before.facts, structuredClone(edited.facts))
  expect(after).toEqual(edited.facts)
  expect(after.servers.value).toBe(before.facts.servers.value)
  const reused = (after.providers.value ?? []).map(
    (provider, index) => provider === before.facts.providers.value?.[index],
  )
  expect(new Set(reused)).toEqual(new Set([true, false]))
})

test('times and errors are those of the round', async () => {
  const { facts } = t4Cloud()
  const at = '2026-12-01T00:00:00.000Z'
  const later = { ...facts, services: { ...facts.services, at } } as typeof facts
  expect((await reuseUnchanged(facts, structuredClone(later))).services.at).toBe(at)
  expect(await reuseUnchanged(null, facts)).toBe(facts)
})

const world = createReadWorld({ hostCount: 6 })
const openFindings = async () =>
  (await listFindings(world.at(), { cloud: world.cloudName() })).findings.filter(
    ({ state }) => state !== 'closed',
  )

test('a round stores what each service reported, what it cost, and what was found', async () => {
  const { roundNumber } = await world.reading().readRound()
  const read = cloudReadingSchema.parse(await getCloudReading(world.at(), { cloud: world.cloudName() }))
  expect(roundNumber).toBe(1)
  expect(read.services.map(({ service, error }) => [service, error])).toEqual([
    ['keystone', null],
    ['placement', null],
    ['nova', null],
    ['neutron', null],
  ])
  expect(read.parts.map(({ error }) => error)).toEqual(read.parts.map(() => null))
  expect(read.parts.find(({ part }) => part === 'providers')?.items).toBeGreaterThan(6)
  for (const { id } of await openFindings()) {
    const { evidence, key } = await getFinding(world.at(), { id })
    expect(evidence.length, key).toBeGreaterThan(0)
  }
})

test('hardware, nova.conf, Placement and libvirt agree on a healthy pGPU, in Nova’s words', async () => {
  await world.reading().readRound()
  const { hosts, addresses, columns } = await listGpus(world.at(), { cloud: world.cloudName() })
  const answers = await Promise.all(
    columns.hostIndex.map(async (index, row) => {
      const [host, address] = [hosts[index] ?? '', addresses[columns.addressIndex[row] ?? 0] ?? '']
      return gpuSourcesSchema.parse(
        await getGpuSources(world.at(), { cloud: world.cloudName(), host, address }),
      )
    }),
  )
  const sliced = answers.filter(({ sources }) => (sources?.advertised.total.value ?? 0) > 0)
  expect(sliced.length).toBeGreaterThan(3)
  const used = sliced.find(({ sources }) => (sources?.occupants.length ?? 0) > 0)
  expect(used?.sources?.occupants[0]).toMatchObject({ source: 'nova', projectName: expect.any(String) })
})

test('the fleet’s list has what Placement advertises, the aggregates and the service', async () => {
  const before = await listGpus(world.at(), { cloud: world.cloudName() })
  expect(before.columns.advertised.every((value) => value === null)).toBe(true)
  await world.reading().readRound()
  await wait(1100)
  const gpus = await listGpus(world.at(), { cloud: world.cloudName() })
  const row = gpus.columns.hostIndex.findIndex(
    (host, index) =>
      gpus.hosts[host] === 'cmp-r4-01' &&
      gpus.addresses[gpus.columns.addressIndex[index] ?? 0] === '0000:61:00.0',
  )
  expect(gpus.columns.advertised[row]).toBe(12)
  expect(gpus.columns.advertisedUsed[row]).toBe(gpus.columns.used[row])
  expect(gpus.services[gpus.columns.serviceIndex[row] ?? -1]).toBe('up')
  expect(gpus.aggregateSets[gpus.columns.aggregateSetIndex[row] ?? -1]?.length).toBeGreaterThan(0)
  expect(gpus.findings.map(({ code }) => code)).toContain('placement-over-promises')
})

test('a second round in which nothing moved costs little and changes no finding', async () => {
  await world.reading().readRound()
  const before = await openFindings()
  world.pass(60_000)
  await world.reportAll()
  await world.reading().readRound()
  const { round } = await getCloudReading(world.at(), { cloud: world.cloudName() })
  expect(round?.requests).toBeLessThanOrEqual(10)
  expect((await openFindings()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('findings of a host of which nothing is known stay as they were, and do not come back', async () => {
  const { query } = world.database()
  await world.reading().readRound()
  const host = 'cmp-r2-07'
  const own = async () =>
    (await openFindings())
      .filter(({ subject }) => 'host' in subject && subject.host === host)
      .map(({ id, code, state, reopenedCount, unverifiedReason }) => ({
        id,
        code,
        state,
        reopenedCount,
        unverifiedReason,
      }))
  const before = await own()
  expect(before.map(({ code }) => code)).toContain('orphan-mdevs')
  // Judged without it, though it has reported: as when its report came after the round began.
  const [stored] = await query(
    'SELECT i.body, h.digest FROM host h JOIN host_inventory i ON i.host_id = h.id WHERE h.name = $1',
    [host],
    anyRow<{ body: Uint8Array; digest: string }>(),
  )
  const put = async (digest: string, body: Uint8Array | undefined) => {
    await query('UPDATE host_inventory SET body = $2 FROM host h WHERE h.id = host_id AND h.name = $1', [
      host,
      body,
    ])
    await query('UPDATE host SET digest = $2 WHERE name = $1', [host, digest])
  }
  await put('unread', new TextEncoder().encode('no report'))
  await world.reading().readRound()
  const because = expect.stringContaining(`the last report of ${host} came during the round`)
  expect(await own()).toEqual(before.map((one) => ({ ...one, unverifiedReason: because })))
  await put(stored?.digest ?? '', stored?.body)
  await world.reading().readRound()
  expect(await own()).toEqual(before)
})

test('what moves waits with the words that it goes by, and opens with the round after its host’s next one', async () => {
  const { reading, account, pass, reportAll, at } = world
  const placement = createPlacement({ account: account() })
  const [provider] = await placement.listProviders({ name: 'cmp-r4-01_pci_0000_61_00_4' })
  const consumerUuid = randomUUID()
  await placement.putConsumer({
    consumerUuid,
    allocations: { [provider?.uuid ?? '']: { VGPU: 1 } },
    projectId: randomUUID(),
    userId: randomUUID(),
    consumerGeneration: null,
  })
  const isOpen = async () =>
    (await openFindings()).some(({ subject }) => JSON.stringify(subject).includes(consumerUuid))
  const since = at().now().toISOString()
  const { unconfirmed } = await reading().readRound()
  const own = [...unconfirmed].find(([key]) => key.includes(consumerUuid))?.[1]
  expect(own).toMatchObject({
    since,
    evidence: [
      { source: 'placement', at: since },
      { source: 'nova', at: since },
      { source: 'libvirt', at: since },
    ],
  })
  pass(15_000)
  await reading().readRound()
  expect(await isOpen()).toBe(false)
  await reportAll()
  const { unconfirmed: left } = await reading().readRound()
  expect(await isOpen()).toBe(true)
  expect([...left.keys()].filter((key) => key.includes(consumerUuid))).toEqual([])
  await placement.deleteConsumer(consumerUuid)
})

test('the history has the cloud’s report on each pGPU once, again when it changes, and that it went', async () => {
  const { database } = world
  const words = () =>
    database().query(
      `SELECT c.address, c.service_state AS state, c.advertised FROM pgpu_cloud_change c JOIN host h ON h.id = c.host_id
       JOIN cloud ON cloud.id = h.cloud_id WHERE cloud.name = $1 AND h.name = 'cmp-r4-01' ORDER BY c.at, c.address`,
      [world.cloudName()],
      anyRow<{ address: string; state: string | null; advertised: number | null }>(),
    )
  await world.reading().readRound()
  const first = await words()
  expect(first.find(({ address }) => address === '0000:61:00.0')).toMatchObject({
    state: 'up',
    advertised: 12,
  })
  world.pass(60_000)
  await world.reportAll()
  await world.reading().readRound()
  expect(await words()).toEqual(first)
  await database().query(
    `UPDATE pgpu_cloud SET advertised = 1, finding = 'x' FROM host h JOIN cloud ON cloud.id = h.cloud_id
     WHERE h.id = host_id AND cloud.name = $1 AND h.name = 'cmp-r4-01' AND address = '0000:61:00.0'`,
    [world.cloudName()],
  )
  await database().query(
    `INSERT INTO pgpu_cloud (host_id, address) SELECT h.id, '0000:ff:00.0' FROM host h JOIN cloud ON cloud.id = h.cloud_id
     WHERE cloud.name = $1 AND h.name = 'cmp-r4-01'`,
    [world.cloudName()],
  )
  // Rows that were edited by hand are corrected by the next judged round, such as the first of a console.
  await world.newReading().readRound()
  expect((await words()).slice(first.length)).toEqual([
    { address: '0000:61:00.0', state: 'up', advertised: 12 },
    { address: '0000:ff:00.0', state: null, advertised: null },
  ])
})

test('a round is judged again only when its input changed', async () => {
  const { query } = world.database()
  const advertised = async () => {
    const [row] = await query(
      `SELECT advertised FROM pgpu_cloud JOIN host h ON h.id = host_id JOIN cloud ON cloud.id = h.cloud_id
       WHERE cloud.name = $1 AND h.name = 'cmp-r4-01' AND address = '0000:61:00.0'`,
      [world.cloudName()],
      anyRow<{ advertised: number }>(),
    )
    return row?.advertised
  }
  const next = async () => {
    world.pass(30_000)
    await world.reportAll()
    await world.reading().readRound()
    return advertised()
  }
  await next()
  await next()
  // A judged round corrects it.
  await query(
    `UPDATE pgpu_cloud SET advertised = 1 FROM host h JOIN cloud ON cloud.id = h.cloud_id
     WHERE h.id = host_id AND cloud.name = $1 AND h.name = 'cmp-r4-01' AND address = '0000:61:00.0'`,
    [world.cloudName()],
  )
  expect(await next()).toBe(1)
  expect(await next()).toBe(1)
  const before = await openFindings()
  const [acknowledged] = before
  await query(`UPDATE finding SET acknowledged_at = now(), acknowledged_until = $2 WHERE id = $1`, [
    acknowledged?.id,
    new Date('2026-11-21T08:00:00Z'),
  ])
  expect(await next()).toBe(12)
  expect((await openFindings()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('what another console has stored since is replaced by what this one reads', async () => {
  const { query } = world.database()
  await world.reading().readRound()
  const cloud = { ...(await findCloud(world.at(), { cloud: world.cloudName() })), region: 'RegionOne' }
  await query(`UPDATE cloud_part SET body = $2 WHERE cloud_id = $1 AND part = 'services'`, [
    cloud.id,
    await encodePart([]),
  ])
  await query('UPDATE cloud_round SET number = number + 1 WHERE cloud_id = $1', [cloud.id])
  await world.reading().readRound()
  const stored = await loadCloudFacts(query, { cloud, now: world.at().now() })
  expect(stored?.facts.services.value?.length).toBeGreaterThan(0)
})
