import { expect, test } from 'vitest'
import { type Finding, findingKey, type Subject } from '@/lib/domain/findings/finding'
import { findingMuteListSchema } from '@/lib/schemas/api/finding-mute'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { getOverview } from '@/lib/services/overview/get-overview'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { acknowledgeFinding } from './acknowledge-finding'
import { countFindings } from './count-findings'
import { getFinding } from './get-finding'
import { listFindingMutes } from './list-finding-mutes'
import { listFindings } from './list-findings'
import { muteFindings, unmuteFindings } from './mute-findings'

const world = createServiceWorld()

const finding = (code: string, host: string): Finding => {
  const subject: Subject = { kind: 'host', host }
  return {
    ...{ key: findingKey(code, subject), code, severity: 'warning', subject },
    ...{ sentence: 'something differs', consequence: 'It may fail.', nextStep: 'Correct it.' },
    ...{ command: null, sourceToCorrect: null, evidence: [] },
  }
}

const MUTED = 'orphan-mdevs'
const OTHER = 'host-silent'
const body = { note: 'New driver in December', days: 10 }
const UNTIL = new Date(NOW.getTime() + 10 * 86_400_000)

const cloudWith = async (...findings: Finding[]) => {
  const { id: cloudId, name: cloud } = await world.newCloud()
  const detect = (found: Finding[], at = NOW) =>
    storeFindings(world.database(), { cloudId, detected: { findings: found, unverified: [] }, at })
  await detect(findings)
  const states = async () =>
    (await listFindings(world.ctx(READER), { cloud })).findings.map(({ code, state }) => `${code} ${state}`)
  const open = async () => (await countFindings(world.ctx(READER), { cloud })).open.warning
  const audited = () =>
    world.database().prisma.auditEntry.findMany({
      where: { cloud, action: { in: ['finding.mute', 'finding.unmute'] } },
      orderBy: { id: 'asc' },
    })
  return { cloud, detect, states, open, audited }
}

test('findings of a muted kind do not count, also new ones, and show who muted them', async () => {
  const { cloud, detect, states, open, audited } = await cloudWith(
    finding(MUTED, 'cmp-1'),
    finding(OTHER, 'cmp-1'),
  )
  const list = await muteFindings(world.ctx(), { cloud, code: MUTED, body })
  expect(findingMuteListSchema.parse(list).mutes).toMatchObject([
    { code: MUTED, by: 'user:local-admin', note: body.note, until: UNTIL.toISOString(), findings: 1 },
  ])
  await detect([finding(MUTED, 'cmp-1'), finding(MUTED, 'cmp-2'), finding(OTHER, 'cmp-1')])
  expect((await states()).toSorted()).toEqual([`${OTHER} open`, `${MUTED} muted`, `${MUTED} muted`])
  expect(await open()).toBe(1)
  expect((await getOverview(world.ctx(READER), { cloud })).attention.map(({ code }) => code)).toEqual([OTHER])
  expect((await listFindingMutes(world.ctx(READER), { cloud })).mutes).toMatchObject([{ findings: 2 }])
  const [muted] = (await listFindings(world.ctx(), { cloud, state: 'muted' })).findings
  expect(await getFinding(world.ctx(), { id: muted?.id ?? 0 })).toMatchObject({
    state: 'muted',
    acknowledgement: null,
    mute: { by: 'user:local-admin', note: body.note, until: UNTIL.toISOString() },
  })
  expect(await audited()).toMatchObject([
    { action: 'finding.mute', subject: `finding:${MUTED}`, before: null, after: { note: body.note } },
  ])
})

test('a mute ends with its date', async () => {
  const { cloud, open } = await cloudWith(finding(MUTED, 'cmp-1'))
  await muteFindings(world.ctx(), { cloud, code: MUTED, body })
  expect(await open()).toBe(0)
  const later = { ...world.ctx(READER), now: () => UNTIL }
  expect((await countFindings(later, { cloud })).open.warning).toBe(1)
  expect((await listFindings(later, { cloud })).findings).toMatchObject([{ state: 'open', mute: null }])
  expect((await listFindingMutes(later, { cloud })).mutes).toEqual([])
})

test('a mute is replaced, and ended once', async () => {
  const { cloud, open, audited } = await cloudWith(finding(MUTED, 'cmp-1'))
  await muteFindings(world.ctx(), { cloud, code: MUTED, body })
  await muteFindings(world.ctx(), { cloud, code: MUTED, body: { note: 'Later', days: 20 } })
  expect((await unmuteFindings(world.ctx(), { cloud, code: MUTED })).mutes).toEqual([])
  await unmuteFindings(world.ctx(), { cloud, code: MUTED })
  expect(await open()).toBe(1)
  expect(await audited()).toMatchObject([
    { action: 'finding.mute', before: null },
    { action: 'finding.mute', before: { note: body.note }, after: { note: 'Later' } },
    { action: 'finding.unmute', before: { note: 'Later' }, after: null },
  ])
})

test('an acknowledged finding of a muted kind stays acknowledged, and the mute does not count it', async () => {
  const { cloud, states } = await cloudWith(finding(MUTED, 'cmp-1'))
  const [found] = (await listFindings(world.ctx(), { cloud })).findings
  await acknowledgeFinding(world.ctx(), { id: found?.id ?? 0, body })
  const { mutes } = await muteFindings(world.ctx(), { cloud, code: MUTED, body })
  expect(mutes).toMatchObject([{ findings: 0 }])
  expect(await states()).toEqual([`${MUTED} acknowledged`])
})

test('another cloud is not muted', async () => {
  const { cloud } = await cloudWith(finding(MUTED, 'cmp-1'))
  const other = await cloudWith(finding(MUTED, 'cmp-1'))
  await muteFindings(world.ctx(), { cloud, code: MUTED, body })
  expect(await other.open()).toBe(1)
  expect((await listFindingMutes(world.ctx(), { cloud: other.cloud })).mutes).toEqual([])
})

test('a reader sees mutes and changes none, a tenant sees nothing, and nothing is written', async () => {
  const { cloud, open, audited } = await cloudWith(finding(MUTED, 'cmp-1'))
  for (const actor of [READER, TENANT]) {
    const ctx = world.ctx(actor)
    await expect(muteFindings(ctx, { cloud, code: MUTED, body })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(unmuteFindings(ctx, { cloud, code: MUTED })).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(listFindingMutes(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(muteFindings(world.ctx(), { cloud, code: 'toString', body })).rejects.toMatchObject({
    code: 'not_found',
    field: 'code',
  })
  await expect(
    muteFindings(world.ctx(), { cloud, code: MUTED, body: { ...body, days: 0 } }),
  ).rejects.toMatchObject({ code: 'validation', field: 'days' })
  expect(await open()).toBe(1)
  expect(await audited()).toEqual([])
})
