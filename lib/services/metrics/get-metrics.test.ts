import { beforeAll, expect, test } from 'vitest'
import { type Finding, findingKey } from '@/lib/domain/findings/finding'
import { anyRow } from '@/lib/server/testing/any-row'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { addType, writeHost, writeHostRows } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { addArrival } from '@/lib/services/utilization/arrival-rows'
import { getMetrics } from './get-metrics'

const world = createServiceWorld()

const A40 = { model: 'NVIDIA A40', framework: 'mdev-sriov', orphan: 0, returning: 0 }

let q4: Awaited<ReturnType<typeof addType>>
beforeAll(async () => {
  q4 = await addType(world.database(), {
    typeId: 'nvidia-558',
    name: 'NVIDIA A40-4Q',
    maxInstance: 12,
    framebufferMib: 4096,
  })
})

const newFleet = async () => {
  const cloud = await world.newCloud()
  const known = { ...A40, ...q4, capacity: 12, used: 5, spare: 1, creatable: 6 }
  const unknown = { ...A40, ...q4, capacity: null, used: null, spare: null, unknownReason: 'no driver' }
  await writeHost(world.database(), {
    cloudId: cloud.id,
    name: 'cmp-1',
    seenAt: secondsAgo(3),
    pgpus: [
      { ...known, address: '0000:3b:00.0' },
      { ...known, address: '0000:3c:00.0', used: 7 },
      { ...unknown, address: '0000:3d:00.0' },
    ],
  })
  await writeHost(world.database(), {
    cloudId: cloud.id,
    name: 'cmp-silent',
    seenAt: secondsAgo(3600),
    pgpus: [{ ...known, address: '0000:3b:00.0' }],
  })
  return cloud
}

/** The value of the one sample with this name and all of these labels; null: there is none. */
const sampleOf = (text: string, name: string, labels: Record<string, string>): number | null => {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
  expect(lines.length, lines.join('\n')).toBeLessThan(2)
  const [line] = lines
  return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ') + 1))
}

test('each pGPU and type has its numbers; what is unknown or old has none', async () => {
  const { name: cloud } = await newFleet()
  const text = await getMetrics(world.ctx(READER), {})
  const card = { cloud, host: 'cmp-1', pgpu: '0000:3b:00.0' }
  expect(sampleOf(text, 'sliceboard_pgpu_used_vgpus', card)).toBe(5)
  expect(sampleOf(text, 'sliceboard_pgpu_capacity_vgpus', card)).toBe(12)
  expect(sampleOf(text, 'sliceboard_pgpu_advertised_vgpus', card)).toBeNull()
  expect(
    sampleOf(text, 'sliceboard_pgpu_info', { ...card, vgpu_type: 'nvidia-558', vgpu_type_name: 'A40-4Q' }),
  ).toBe(1)
  expect(sampleOf(text, 'sliceboard_pgpu_used_vgpus', { ...card, pgpu: '0000:3d:00.0' })).toBeNull()
  expect(sampleOf(text, 'sliceboard_pgpu_used_vgpus', { cloud, host: 'cmp-silent' })).toBeNull()
  const type = { cloud, model: 'NVIDIA A40', vgpu_type: 'nvidia-558' }
  expect(sampleOf(text, 'sliceboard_type_pgpus', type)).toBe(4)
  expect(sampleOf(text, 'sliceboard_type_unknown_pgpus', type)).toBe(1)
  expect(sampleOf(text, 'sliceboard_type_used_vgpus', type)).toBe(17)
  expect(sampleOf(text, 'sliceboard_type_capacity_vgpus', type)).toBe(36)
  expect(sampleOf(text, 'sliceboard_type_last_known_capacity_vgpus', type)).toBe(12)
  expect(sampleOf(text, 'sliceboard_type_last_known_used_vgpus', type)).toBe(5)
  expect(sampleOf(text, 'sliceboard_type_stranded_vgpus', type)).toBeNull()
  expect(sampleOf(text, 'sliceboard_hosts', { cloud, state: 'reporting' })).toBe(1)
  expect(sampleOf(text, 'sliceboard_hosts', { cloud, state: 'silent' })).toBe(1)
})

test('hosts of every step count in the totals', async () => {
  const { id: cloudId, name: cloud } = await world.newCloud()
  const hosts = Array.from({ length: 401 }, (_, index) => ({
    cloudId,
    name: `cmp-${index}`,
    seenAt: secondsAgo(index % 2 === 0 ? 3 : 3600),
    pgpus: [
      { ...A40, ...q4, address: '0000:3b:00.0', capacity: 12, used: index % 5, spare: 0, creatable: 1 },
    ],
  }))
  await world.database().transaction(async ({ query }) => {
    for (const host of hosts) await writeHostRows(query, host)
  })
  const text = await getMetrics(world.ctx(READER), { detail: 'type' })
  const type = { cloud, model: 'NVIDIA A40', vgpu_type: 'nvidia-558' }
  expect(sampleOf(text, 'sliceboard_type_pgpus', type)).toBe(401)
  expect(sampleOf(text, 'sliceboard_type_capacity_vgpus', type)).toBe(12 * 401)
  expect(sampleOf(text, 'sliceboard_type_used_vgpus', type)).toBe(2 * 400)
  expect(sampleOf(text, 'sliceboard_type_last_known_capacity_vgpus', type)).toBe(12 * 200)
})

test('each pGPU has its last sample, unless it is old or nvidia-smi did not report it', async () => {
  const { id, name: cloud } = await newFleet()
  const { query } = world.database()
  const hosts = await query(
    'SELECT id, name FROM host WHERE cloud_id = $1',
    [id],
    anyRow<{ id: number; name: string }>(),
  )
  const sampled = async (host: string, seconds: number, cards: Record<string, (number | null)[]>) => {
    const readings = Object.entries(cards).flatMap(([slot, [utilization = null, usedMib = null]]) => {
      const card = { address: `0000:${slot}:00.0`, utilization, usedMib, totalMib: 46_068 }
      return [
        { ...card, vgpu: null, guest: null },
        { ...card, vgpu: 'mdev', guest: 'guest', utilization: 1, usedMib: 1 },
      ]
    })
    const samples = [
      { at: secondsAgo(seconds).getTime(), readings },
      {
        at: secondsAgo(seconds + 60).getTime(),
        readings: readings.map((one) => ({ ...one, utilization: 99 })),
      },
    ]
    await addArrival(query, hosts.find((one) => one.name === host)?.id ?? 0, samples)
  }
  const usageOf = async (host: string, slot: string): Promise<(number | null)[]> => {
    const text = await getMetrics(world.ctx(READER), {})
    const labels = { cloud, host, pgpu: `0000:${slot}:00.0` }
    return ['utilization_ratio', 'framebuffer_used_bytes'].map((name) =>
      sampleOf(text, `sliceboard_pgpu_${name}`, labels),
    )
  }
  await sampled('cmp-1', 710, { '3b': [40, 2048], ff: [10, 10] })
  expect(await usageOf('cmp-1', '3b')).toEqual([0.4, 2048 * 1024 * 1024])
  await sampled('cmp-1', 100, { '3b': [25, 1024], '3c': [null, 512] })
  await sampled('cmp-1', 400, { '3b': [80, 4096], '3d': [1, 1] })
  await sampled('cmp-silent', 100, { '3b': [25, 1024] })
  expect(await usageOf('cmp-1', '3b')).toEqual([0.25, 1024 * 1024 * 1024])
  expect(await usageOf('cmp-1', '3c')).toEqual([null, 512 * 1024 * 1024])
  for (const [host, slot] of [
    ['cmp-1', '3d'],
    ['cmp-1', 'ff'],
    ['cmp-silent', '3b'],
  ] as const)
    expect(await usageOf(host, slot), `${host} ${slot}`).toEqual([null, null])
  await query('DELETE FROM utilisation_arrival WHERE last_at > $1::timestamptz', [secondsAgo(730)])
  await sampled('cmp-1', 721, { '3b': [40, 2048] })
  expect(await usageOf('cmp-1', '3b')).toEqual([null, null])
})

test('open findings count by code, acknowledged and closed ones do not', async () => {
  const { id, name: cloud } = await newFleet()
  const silent = (host: string): Finding => {
    const subject = { kind: 'host' as const, host }
    return {
      key: findingKey('host-silent', subject),
      code: 'host-silent',
      severity: 'error',
      subject,
      sentence: `${host} is silent`,
      consequence: 'Nothing is known.',
      nextStep: 'Check the agent.',
      command: null,
      sourceToCorrect: null,
      evidence: [],
    }
  }
  await storeFindings(world.database(), {
    cloudId: id,
    detected: { findings: [silent('cmp-1'), silent('cmp-2')], unverified: [] },
    at: secondsAgo(60),
  })
  const labels = { cloud, severity: 'error', code: 'host-silent' }
  expect(sampleOf(await getMetrics(world.ctx(READER), {}), 'sliceboard_findings_open', labels)).toBe(2)
  await world
    .database()
    .query(`UPDATE finding SET acknowledged_by = 'rita' WHERE cloud_id = $1 AND host = 'cmp-2'`, [id])
  expect(sampleOf(await getMetrics(world.ctx(READER), {}), 'sliceboard_findings_open', labels)).toBe(1)
})

test('series of each pGPU can be left out, and it reports for how many', async () => {
  const { name: cloud } = await newFleet()
  const text = await getMetrics(world.ctx(READER), { detail: 'type' })
  expect(text).not.toContain('sliceboard_pgpu_')
  expect(sampleOf(text, 'sliceboard_left_out_pgpus', { cloud })).toBe(4)
  expect(sampleOf(text, 'sliceboard_type_pgpus', { cloud })).toBe(4)
  await expect(getMetrics(world.ctx(READER), { detail: 'all' as 'type' })).rejects.toThrow(
    'detail is "all", but must be one of',
  )
})

test('an account sees its own cloud alone, a tenant none', async () => {
  const own = await newFleet()
  const other = await newFleet()
  const account = {
    cloud: own.name,
    userId: 'u',
    userName: 'rita',
    userDomain: 'Default',
    scope: { kind: 'system' as const },
    source: { kind: 'api-token' as const, apiTokenId: 1, access: 'read' as const },
  }
  const text = await getMetrics(world.ctx({ ...READER, account } as typeof READER), {})
  expect(text).toContain(`cloud="${own.name}"`)
  expect(text).not.toContain(`cloud="${other.name}"`)
  await expect(getMetrics(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
})

test('only so many versions of agents become labels', async () => {
  const cloud = await world.newCloud()
  for (let version = 1; version <= 23; version++) {
    const id = await writeHost(world.database(), { cloudId: cloud.id, name: `cmp-${version}`, pgpus: [] })
    await world.database().query('UPDATE host SET agent_version = $2 WHERE id = $1', [id, `0.0.${version}`])
  }
  const text = await getMetrics(world.ctx(READER), {})
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('sliceboard_agents{') && line.includes(`"${cloud.name}"`))
  expect(lines).toHaveLength(21)
  expect(sampleOf(text, 'sliceboard_agents', { cloud: cloud.name, version: 'other' })).toBe(3)
})

test('a service that could not be read is neither up nor down', async () => {
  const { id, name: cloud } = await world.newCloud()
  const cost = { requests: 2, ms: 20, error: null, lastError: null, lastErrorAt: null }
  const store = async (cost: readonly Record<string, unknown>[]) =>
    world.database().query(
      `INSERT INTO cloud_round (cloud_id, number, started_at, took_ms, cost, notes, waiting_requests, versions)
       VALUES ($1, 1, now(), 20, $2::jsonb, '{}', 0, '{}') ON CONFLICT (cloud_id) DO UPDATE SET cost = excluded.cost`,
      [id, JSON.stringify(cost)],
    )
  const up = async () => {
    const text = await getMetrics(world.ctx(READER), {})
    return ['keystone', 'placement', 'nova'].map((service) =>
      sampleOf(text, 'sliceboard_openstack_up', { cloud, service }),
    )
  }
  await store([
    { service: 'keystone', ...cost, error: 'Keystone of cloud "x" cannot be reached.' },
    { service: 'placement', ...cost, requests: 0 },
    { service: 'nova', ...cost, requests: 0 },
  ])
  expect(await up()).toEqual([0, null, null])
  // A token lasts for many rounds, in which Keystone is not asked.
  await store([
    { service: 'keystone', ...cost, requests: 0 },
    { service: 'placement', ...cost },
    { service: 'nova', ...cost, error: 'Nova of cloud "x" answered 503.' },
  ])
  expect(await up()).toEqual([1, 1, 0])
})
