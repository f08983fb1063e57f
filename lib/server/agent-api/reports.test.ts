import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { a100SlidesHost, t4SeedHost } from '@/lib/domain/testing/fixtures'
import { REPORT_HEADERS } from '@/lib/schemas/agent/report'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { reportJson } from './testing/agent-console'
import { createAgentWorld } from './testing/agent-world'

const world = createAgentWorld()
const { agents, database } = world

const at = (boot: number, sequence: number) => ({ boot, sequence })
const t4Report = (position: { boot: number; sequence: number }) =>
  reportJson({ inventory: t4SeedHost(), position })

test('a report is acknowledged and stored with its pGPUs, guests, types and body', async () => {
  const credential = await agents().enrolled()
  const json = t4Report(at(1, 1))
  const answer = await agents().report(credential, json)
  expect(answer.body).toEqual({
    isApplied: true,
    newest: at(1, 1),
    intervalSeconds: 30,
    samplesEverySeconds: 300,
  })
  const host = await database().prisma.host.findFirstOrThrow({
    include: {
      pgpus: { orderBy: { address: 'asc' } },
      guests: true,
      inventory: true,
    },
  })
  expect(host).toMatchObject({ gpuCount: 8, guestCount: 1, problemCount: 0, appliedReports: 1n })
  expect(host.pgpus[6]).toMatchObject({ address: '0000:f4:00.0', capacity: 1, used: 1, creatable: 0 })
  const { vgpuType, vgpuTypeSet } = database().prisma
  const type = await vgpuType.findUniqueOrThrow({ where: { id: host.pgpus[6]?.typeId ?? 0 } })
  expect(type).toMatchObject({ typeId: 'nvidia-321', name: 'GRID T4-16C' })
  const set = await vgpuTypeSet.findUniqueOrThrow({ where: { id: host.pgpus[0]?.typeSetId ?? 0 } })
  expect(set.vgpuTypeIds).toHaveLength(17)
  expect(host.guests).toMatchObject([{ name: 'instance-00000004', pgpuAddresses: ['0000:f4:00.0'] }])
  expect(gunzipSync(host.inventory?.body ?? '').toString()).toBe(json)
  expect(await database().prisma.vgpuType.count()).toBe(17)
  expect(await database().query('SELECT 1 FROM pgpu_history')).toHaveLength(8)
})

test('pGPUs that are gone leave their address in the history', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, reportJson({ inventory: a100SlidesHost(), position: at(1, 1) }))
  await agents().report(credential, t4Report(at(1, 2)))
  const gone = await database().query(
    `SELECT framework, used, spare FROM pgpu_history WHERE address = '0000:41:00.0' ORDER BY sequence`,
  )
  expect(gone).toMatchObject([
    { framework: 'mdev-sriov', used: 9, spare: 1 },
    { framework: null, used: null, spare: null },
  ])
})

test('a second delivery changes nothing and is acknowledged as a repetition', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, t4Report(at(1, 1)))
  const [before] = await database().query('SELECT to_jsonb(h) AS host FROM host h')
  const again = await agents().report(credential, t4Report(at(1, 1)))
  expect(again.body).toEqual({
    isApplied: false,
    newest: at(1, 1),
    intervalSeconds: 30,
    samplesEverySeconds: 300,
  })
  expect(await database().query('SELECT to_jsonb(h) AS host FROM host h')).toEqual([before])
  expect(await database().query('SELECT 1 FROM pgpu_history')).toHaveLength(8)
})

test('a late report changes nothing, and a restart of the agent counts for more than its sequence', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, t4Report(at(1, 9)))
  expect((await agents().report(credential, t4Report(at(2, 1)))).body.isApplied).toBe(true)
  const empty = { ...t4SeedHost(), guests: [], mdevs: [] }
  const late = await agents().report(credential, reportJson({ inventory: empty, position: at(1, 10) }))
  expect(late.body).toEqual({
    isApplied: false,
    newest: at(2, 1),
    intervalSeconds: 30,
    samplesEverySeconds: 300,
  })
  expect(await database().prisma.guest.count()).toBe(1)
})

test('order never uses the clock', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, t4Report(at(1, 1)))
  const older = reportJson({ inventory: t4SeedHost(), position: at(1, 2), takenAt: new Date('2001-01-01') })
  expect((await agents().report(credential, older)).body.isApplied).toBe(true)
})

test('an unchanged report moves the position and leaves the host unchanged for readers', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, t4Report(at(1, 1)))
  const before = await database().prisma.host.findFirstOrThrow()
  await agents().report(credential, t4Report(at(1, 2)))
  const after = await database().prisma.host.findFirstOrThrow()
  expect(after.changedXid).toBe(before.changedXid)
  expect([after.sequence, after.appliedReports]).toEqual([2, 2n])
})

test('plain JSON in another order of members is taken too', async () => {
  const credential = await agents().enrolled()
  const json = t4Report(at(1, 1))
  const answer = await agents().report(credential, json, { 'content-encoding': 'identity' })
  expect(answer.status).toBe(200)
  const { body } = await database().prisma.hostInventory.findFirstOrThrow()
  expect(gunzipSync(body).toString()).toBe(json)
})

test('a report of another host is refused by name', async () => {
  const credential = await agents().enrolled('cmp-02')
  const answer = await agents().report(credential, t4Report(at(1, 1)))
  expect(answer.status).toBe(403)
  expect(answer.body.error).toMatchObject({
    code: 'credential_of_other_host',
    field: 'inventory.host.name',
    message:
      'inventory.host.name is "cmp-01", but the credential is for host "cmp-02". Enrol this host under its own name.',
  })
  expect(await database().prisma.pgpu.count()).toBe(0)
})

test('a credential writes nothing once it is revoked, although the console knew it', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, t4Report(at(1, 1)))
  const { id } = await database().prisma.agentCredential.findFirstOrThrow()
  await revokeAgent(agents().ctx, { credentialId: id })
  const answer = await agents().report(credential, t4Report(at(1, 2)))
  expect([answer.status, answer.body.error.code, answer.headers['www-authenticate']]).toEqual([
    401,
    'unauthorized',
    'Bearer',
  ])
  expect((await database().prisma.host.findFirstOrThrow()).sequence).toBe(1)
})

test('a new enrolment of a host replaces its older credential and starts its positions again', async () => {
  const first = await agents().enrolled()
  await agents().report(first, t4Report(at(7, 7)))
  const second = await agents().enrolled()
  expect((await agents().report(first, t4Report(at(7, 8)))).status).toBe(401)
  expect((await agents().report(second, t4Report(at(1, 1)))).body.isApplied).toBe(true)
  expect(await database().prisma.host.findFirstOrThrow()).toMatchObject({
    enrolment: 2,
    boot: 1,
    sequence: 1,
  })
})

test('a credential that is unknown is refused', async () => {
  await agents().enrolled()
  for (const credential of [
    '',
    'sbac_1_short',
    `sbac_1_${'A'.repeat(43)}`,
    `sbac_9999999999_${'A'.repeat(43)}`,
  ]) {
    const answer = await agents().report(credential, t4Report(at(1, 1)))
    expect([credential, answer.status, answer.body.error.code]).toEqual([credential, 401, 'unauthorized'])
  }
})

test('a clock far off is stored as a problem, and a report that waited is not taken for one', async () => {
  const credential = await agents().enrolled()
  const waited = reportJson({
    inventory: t4SeedHost(),
    position: at(1, 1),
    takenAt: new Date(Date.now() - 86_400_000),
  })
  await agents().report(credential, waited, { [REPORT_HEADERS.sentAt]: new Date().toISOString() })
  expect((await database().prisma.host.findFirstOrThrow()).problems).toEqual([])
  const sentAt = new Date(Date.now() + 3 * 3_600_000).toISOString()
  await agents().report(credential, t4Report(at(1, 2)), { [REPORT_HEADERS.sentAt]: sentAt })
  expect(await database().prisma.host.findFirstOrThrow()).toMatchObject({
    problemCount: 1,
    problems: [
      {
        source: 'clock',
        code: 'clock',
        message:
          "The host's clock is about 3 hours ahead of the console's. Set it by NTP; the order of reports does not depend on it.",
      },
    ],
  })
})

test('the last use of a credential is noted', async () => {
  const credential = await agents().enrolled()
  await agents().report(credential, t4Report(at(1, 1)))
  expect((await database().prisma.agentCredential.findFirstOrThrow()).lastUsedAt).not.toBeNull()
})

test('many hosts at once are stored each for itself', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `cmp-${n}`)
  const credentials = await Promise.all(names.map((name) => agents().enrolled(name)))
  const answers = await Promise.all(
    names.map((name, n) => {
      const base = n % 2 === 0 ? t4SeedHost() : a100SlidesHost()
      const inventory = { ...base, host: { ...base.host, name } }
      return agents().report(credentials[n] ?? '', reportJson({ inventory, position: at(1, 1) }))
    }),
  )
  expect(answers.every(({ body }) => body.isApplied)).toBe(true)
  const hosts = await database().prisma.host.findMany({ select: { name: true, gpuCount: true } })
  expect(hosts.filter(({ gpuCount }) => gpuCount === 8)).toHaveLength(10)
  expect(await database().prisma.pgpu.count()).toBe(90)
})
