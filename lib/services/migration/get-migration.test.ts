import { expect, test } from 'vitest'
import { migrationSchema } from '@/lib/schemas/api/migration'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { getMigration } from './get-migration'

const POOL = ['cmp-r1-02', 'cmp-r1-03', 'cmp-r1-05', 'cmp-r1-06', 'cmp-r1-07', 'cmp-r1-08']
const world = createReadWorld({ hosts: [...POOL, 'cmp-r6-01'] })
const TYPE = 'nvidia-230'

const ask = async (type: string | null = null) =>
  migrationSchema.parse(await getMigration(world.at(READER), { cloud: world.cloudName(), type }))

/** Verdict and reasons from one host to another. */
const way = async (from: string, to: string) => {
  const { matrix } = await ask()
  const groupOf = (name: string) => matrix?.hosts.find((host) => host.name === name)?.group
  const pair = matrix?.pairs.find(
    ({ source, destination }) => source === groupOf(from) && destination === groupOf(to),
  )
  return [pair?.verdict, ...(pair?.blockers ?? []).map(({ because }) => because)]
}

test('the type on most hosts comes first, with every host that carries it', async () => {
  await world.reading().readRound()
  const { types, matrix } = await ask()
  expect(types[0]).toEqual({ typeId: TYPE, typeName: 'T4-1Q', hostCount: POOL.length })
  expect(matrix?.hosts.map(({ name }) => name)).toEqual(POOL)
  expect(matrix?.hosts.every(({ free }) => free !== null && free > 0)).toBe(true)
})

test('versions, drivers and settings of real trees decide, way by way', async () => {
  await world.reading().readRound()
  expect(await way('cmp-r1-03', 'cmp-r1-05')).toEqual(['possible'])
  expect(await way('cmp-r1-03', 'cmp-r1-02')).toEqual([
    'blocked',
    'has kernel 5.15.0-113-generic, but 5.18 is required',
  ])
  expect(await way('cmp-r1-05', 'cmp-r1-07')).toEqual([
    'blocked',
    'the drivers differ: 550.54.16 and 570.133.10',
  ])
  expect(await way('cmp-r1-08', 'cmp-r1-03')).toEqual([
    'blocked',
    'has live_migration_permit_post_copy enabled, which does not work with vGPUs',
  ])
})

test('a host that is switched off in Nova takes nothing now, and does again afterwards', async () => {
  const { controls } = world.openstack()
  controls.disableService({ host: 'cmp-r1-05' })
  await world.reading().readRound()
  expect((await way('cmp-r1-03', 'cmp-r1-05'))[0]).toBe('later')
  expect((await way('cmp-r1-05', 'cmp-r1-03'))[0]).toBe('possible')
  controls.enableService({ host: 'cmp-r1-05' })
  await world.reading().readRound()
  expect(await way('cmp-r1-03', 'cmp-r1-05')).toEqual(['possible'])
})

test('VFs of vendor VFIO wait for a newer Nova', async () => {
  await world.reading().readRound()
  const { types } = await ask()
  const vfio = types.find(({ typeName }) => typeName.startsWith('L40S'))
  const { matrix } = await ask(vfio?.typeId ?? '')
  expect(matrix).toMatchObject({ hosts: [{ name: 'cmp-r6-01' }], pairs: [] })
})

test('before the first round, and of silent hosts, nothing is reported', async () => {
  expect(await way('cmp-r1-03', 'cmp-r1-05')).toEqual([
    'unknown',
    "Live migration with mdevs: Nova 29 (2024.1) or newer is required. Nova's release could not be read, so support is unknown",
    ...NO_CAPACITY,
  ])
  await world.reading().readRound()
  world.pass(600_000)
  expect((await way('cmp-r1-03', 'cmp-r1-02'))[0]).toBe('unknown')
})

const NO_CAPACITY = [
  'has an unknown number of free vGPUs: Placement could not be queried: the first reading round has not ended yet',
]

test('a type without pGPUs has no matrix, and a tenant is refused', async () => {
  expect((await ask('nvidia-1')).matrix).toBeNull()
  await expect(getMigration(world.at(TENANT), {})).rejects.toMatchObject({ code: 'forbidden' })
})
