import { expect, test } from 'vitest'
import { hostRebootSchema } from '@/lib/schemas/api/reboot'
import { getFinding } from '@/lib/services/finding/get-finding'
import { listFindings } from '@/lib/services/finding/list-findings'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { getHostReboot } from './get-host-reboot'

/** cmp-r1-03 runs Nova 29 and defines nothing, cmp-r1-05 runs 30 and defines every mdev, cmp-r5-01 keeps old definitions. */
const world = createReadWorld({ hosts: ['cmp-r1-03', 'cmp-r1-05', 'cmp-r5-01'], release: '2025.1' })

const ask = async (host: string) =>
  hostRebootSchema.parse(await getHostReboot(world.at(READER), { cloud: world.cloudName(), host }))
const fatesOf = async (host: string) => new Set((await ask(host)).preview?.servers.map(({ fate }) => fate))

test('defined mdevs come back, undefined ones do not', async () => {
  await world.reading().readRound()
  expect(await fatesOf('cmp-r1-05')).toEqual(new Set(['returns']))
  expect(await fatesOf('cmp-r1-03')).toEqual(new Set(['lost']))
  const { preview, novaVersion } = await ask('CMP-R1-03')
  expect(novaVersion).toBe('2.100')
  expect(preview?.novaCompute).toEqual({ isStarting: true, because: null })
  const [first] = preview?.servers ?? []
  expect(first).toMatchObject({
    serverName: expect.any(String),
    projectName: expect.any(String),
    canMigrate: true,
    command: `mdevctl define --auto --uuid ${first?.mdevUuids[0]}`,
  })
})

test('definitions of an earlier type are recreated unexpectedly, and are listed with the command that undefines them', async () => {
  await world.reading().readRound()
  const { preview } = await ask('cmp-r5-01')
  expect(preview?.unwanted).toHaveLength(3)
  expect(preview?.unwanted?.[0]).toMatchObject({
    typeName: 'A100-5C',
    command: expect.stringContaining('mdevctl undefine --uuid'),
  })
  expect(preview?.cardsThatNeedVfs.length).toBeGreaterThan(0)
})

test('the finding reports the same as the page', async () => {
  const found = async () =>
    (await listFindings(world.at(), { cloud: world.cloudName(), host: 'cmp-r1-03' })).findings.filter(
      ({ code, state }) => code === 'reboot-loses-servers' && state === 'open',
    )
  await world.reading().readRound()
  const [finding] = await found()
  expect(finding).toMatchObject({ severity: 'warning', sourceToCorrect: 'hardware' })
  const { evidence } = await getFinding(world.at(), { id: finding?.id ?? 0 })
  expect(evidence[0]?.reported).toContain('its mdev is not defined')
})

test('without a cloud the mdevs come from the report of the host alone', async () => {
  const { preview, novaVersion } = await ask('cmp-r1-03')
  expect(novaVersion).toBeNull()
  expect(preview?.novaCompute.isStarting).toBeNull()
  expect(await fatesOf('cmp-r1-03')).toEqual(new Set(['lost']))
})

test('a tenant is refused', async () => {
  await expect(getHostReboot(world.at(TENANT), { host: 'cmp-r1-03' })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
