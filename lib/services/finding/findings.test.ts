import { expect, test } from 'vitest'
import { type Finding, findingKey, type Subject, type Unverified } from '@/lib/domain/findings/finding'
import { type FindingList, findingDetailSchema, findingListSchema } from '@/lib/schemas/api/finding'
import type { Actor } from '@/lib/server/context/service-context'
import { anyRow } from '@/lib/server/testing/any-row'
import { storeFindings } from '@/lib/services/cloud-reading/store-findings'
import { createServiceWorld, NOW, READER, secondsAgo, TENANT } from '@/lib/services/testing/service-world'
import { sh } from '@/lib/util/encode/shell'
import { acknowledgeFinding, endAcknowledgement } from './acknowledge-finding'
import { countFindings } from './count-findings'
import { getFinding } from './get-finding'
import { listFindings } from './list-findings'

const world = createServiceWorld()

const orphans = (host: string, severity: Finding['severity'] = 'warning'): Finding => {
  const subject: Subject = { kind: 'pgpu', host, address: '0000:41:00.0' }
  return {
    key: findingKey('orphan-mdevs', subject),
    code: 'orphan-mdevs',
    severity,
    subject,
    sentence: '2 orphaned mdevs lock the GPU to A40-4Q',
    consequence: 'New servers of the configured type find no host.',
    nextStep: 'Destroy and undefine the orphans.',
    command: sh`virsh nodedev-destroy mdev_4b20d080_1b54_4048_85b3_a6a62d165c01`,
    sourceToCorrect: 'hardware',
    evidence: [{ source: 'hardware', reported: '2 mdevs of A40-4Q', at: NOW.toISOString() }],
  }
}

const detect = (cloudId: number, findings: Finding[], unverified: Unverified[] = [], at = NOW) =>
  storeFindings(world.database(), { cloudId, detected: { findings, unverified }, at })

const list = async (cloud: string, actor: Actor = READER) =>
  findingListSchema.parse(await listFindings(world.ctx(actor), { cloud })).findings

const onlyId = async (cloud: string): Promise<number> => (await list(cloud))[0]?.id ?? 0

const audited = async (key: string) =>
  world
    .database()
    .prisma.auditEntry.findMany({ where: { subject: `finding:${key}` }, orderBy: { id: 'asc' } })

test('a finding opens, closes and comes back automatically, with its times', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1')], [], secondsAgo(300))
  await detect(cloudId, [], [], secondsAgo(200))
  expect(await list(name)).toMatchObject([{ state: 'closed', closedAt: secondsAgo(200).toISOString() }])
  await detect(cloudId, [orphans('cmp-1')], [], secondsAgo(100))
  const [found] = await list(name)
  expect(found).toMatchObject({ state: 'open', closedAt: null, reopenedCount: 1 })
  const detail = findingDetailSchema.parse(await getFinding(world.ctx(READER), { id: found?.id ?? 0 }))
  expect(detail.events.map(({ kind, actor }) => [kind, actor])).toEqual([
    ['opened', 'system'],
    ['closed', 'system'],
    ['reopened', 'system'],
  ])
})

test('who could not look neither opens nor closes', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2')])
  const gap = {
    code: 'orphan-mdevs',
    scope: { kind: 'host', host: 'cmp-1' },
    because: 'cmp-1 is silent',
  } as const
  await detect(cloudId, [], [gap])
  const states = (await list(name)).map(({ state, unverifiedReason }) => [state, unverifiedReason])
  expect(states).toEqual([
    ['open', 'cmp-1 is silent'],
    ['closed', null],
  ])
})

test('the most urgent is first, and a round without news writes nothing', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2', 'error')])
  expect((await list(name)).map(({ subject }) => subject)).toMatchObject([
    { host: 'cmp-2' },
    { host: 'cmp-1' },
  ])
  const versions = () =>
    world
      .database()
      .query('SELECT xmin::text FROM finding WHERE cloud_id = $1', [cloudId], anyRow<{ xmin: string }>())
  const before = await versions()
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2', 'error')])
  expect(await versions()).toEqual(before)
})

test('acknowledged with a note and an end, audited, and open again when the end has come', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-ack')])
  const id = await onlyId(name)
  const body = { note: 'Card goes back on Monday', days: 3 }
  const answered = await acknowledgeFinding(world.ctx(), { id, body })
  expect(answered).toMatchObject({ state: 'acknowledged', acknowledgement: { note: body.note } })
  expect(await audited(orphans('cmp-ack').key)).toMatchObject([
    { action: 'finding.acknowledge', before: { cloud: name, note: null }, after: { note: body.note } },
  ])
  await detect(cloudId, [orphans('cmp-ack')])
  expect(await list(name)).toMatchObject([{ state: 'acknowledged' }])
  const afterwards = new Date(NOW.getTime() + 4 * 86_400_000)
  await detect(cloudId, [orphans('cmp-ack')], [], afterwards)
  expect(await list(name)).toMatchObject([{ state: 'open', acknowledgement: null, reopenedCount: 1 }])
})

test('an acknowledgement is reverted once', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-back')])
  const id = await onlyId(name)
  await acknowledgeFinding(world.ctx(), { id, body: { note: 'known', days: 1 } })
  await endAcknowledgement(world.ctx(), { id })
  const { events, state } = await endAcknowledgement(world.ctx(), { id })
  expect(state).toBe('open')
  expect(events.map(({ kind }) => kind)).toEqual(['opened', 'acknowledged', 'acknowledgement-ended'])
})

test('a closed finding cannot be acknowledged, and a missing one is named by its number', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-closed')])
  await detect(cloudId, [])
  const id = await onlyId(name)
  const body = { note: 'late', days: 1 }
  await expect(acknowledgeFinding(world.ctx(), { id, body })).rejects.toMatchObject({ code: 'conflict' })
  await expect(getFinding(world.ctx(), { id: 999_999 })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no finding 999999. Reload the list.',
  })
})

test.each([
  [{ note: ' ', days: 3 }, 'note'],
  [{ note: 'known', days: 0 }, 'days'],
  [{ note: 'known', days: 400 }, 'days'],
])('%j is refused by its field', async (body, field) => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-bad')])
  const acknowledged = acknowledgeFinding(world.ctx(), { id: await onlyId(name), body })
  await expect(acknowledged).rejects.toMatchObject({ code: 'validation', field })
})

test('a reader acknowledges nothing, a tenant sees nothing', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-role')])
  const id = await onlyId(name)
  const body = { note: 'known', days: 1 }
  await expect(acknowledgeFinding(world.ctx(READER), { id, body })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(endAcknowledgement(world.ctx(READER), { id })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(list(name, TENANT)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getFinding(world.ctx(TENANT), { id })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await list(name)).toMatchObject([{ state: 'open' }])
})

test('the list is narrowed to a host or to kinds of subjects, and an unchanged one keeps its version', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const subject: Subject = { kind: 'limit', resourceName: 'class:VGPU', regionId: null, projectId: null }
  const limit: Finding = {
    ...orphans('cmp-1'),
    key: findingKey('limit-region-null', subject),
    code: 'limit-region-null',
    subject,
  }
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2'), limit])
  const listed = async (scope: Parameters<typeof listFindings>[1]) =>
    (await listFindings(world.ctx(), { cloud: name, ...scope })).findings.map((finding) => finding.subject)
  expect(await listed({ host: 'CMP-2' })).toEqual([orphans('cmp-2').subject])
  expect(await listed({ about: 'cloud,limit' })).toEqual([subject])
  await expect(listed({ about: 'planet' })).rejects.toMatchObject({ code: 'validation', field: 'about' })
  const versions = [
    await listFindings(world.ctx(), { cloud: name }),
    await listFindings(world.ctx(), { cloud: name }),
  ]
  expect(versions[0]?.version).toBe(versions[1]?.version)
  await detect(cloudId, [orphans('cmp-1'), limit])
  expect((await listFindings(world.ctx(), { cloud: name })).version).not.toBe(versions[0]?.version)
})

test('pages have every finding once, with the total and the counts of kinds', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2', 'error'), orphans('cmp-3', 'info')])
  const pages = []
  let cursor: string | null = null
  do {
    const page: FindingList = await listFindings(world.ctx(), { cloud: name, limit: 2, cursor })
    pages.push(page)
    cursor = page.next
  } while (cursor !== null)
  expect(pages.map(({ findings }) => findings.map(({ severity }) => severity))).toEqual([
    ['error', 'warning'],
    ['info'],
  ])
  expect(pages[0]).toMatchObject({
    total: 3,
    kinds: [{ code: 'orphan-mdevs', error: 1, warning: 1, info: 1 }],
    facets: null,
  })
})

test('the list is filtered by text, severity, state, host and source, with the counts of each value', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2', 'error'), orphans('cmp-3', 'info')])
  const id = (await list(name)).find(({ severity }) => severity === 'info')?.id ?? 0
  await acknowledgeFinding(world.ctx(), { id, body: { note: 'card goes back', days: 1 } })
  const listed = async (filter: Parameters<typeof listFindings>[1]) => {
    const { findings, facets } = await listFindings(world.ctx(), { cloud: name, sort: 'kind', ...filter })
    return { hosts: findings.map(({ subject }) => ('host' in subject ? subject.host : null)), facets }
  }
  expect((await listed({ q: 'orphan CMP-2 0000:41' })).hosts).toEqual(['cmp-2'])
  expect((await listed({ q: 'goes back' })).hosts).toEqual(['cmp-3'])
  expect((await listed({ host: 'cmp-1,cmp-3', state: 'open' })).hosts).toEqual(['cmp-1'])
  expect((await listed({ sourceToCorrect: 'placement' })).hosts).toEqual([])
  const { hosts, facets } = await listed({ severity: 'error,warning' })
  expect(hosts).toEqual(['cmp-2', 'cmp-1'])
  expect(facets).toMatchObject({
    severity: [{ value: 'error' }, { value: 'info', count: 1 }, { value: 'warning', count: 1 }],
    sourceToCorrect: [{ value: 'hardware', label: 'host state', count: 2 }],
    state: [{ value: 'open', count: 2 }],
  })
  await expect(listed({ severity: 'loud' })).rejects.toMatchObject({ code: 'validation', field: 'severity' })
})

test('by kind, the first findings of every kind are listed', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const subject: Subject = { kind: 'cloud' }
  const other = {
    ...orphans('cmp-9', 'info'),
    key: findingKey('trait-lost', subject),
    code: 'trait-lost',
    subject,
  }
  await detect(cloudId, [other, ...['cmp-1', 'cmp-2', 'cmp-3', 'cmp-4'].map((host) => orphans(host))])
  const ofKinds = await listFindings(world.ctx(), { cloud: name, sort: 'kind', limit: 3 })
  expect(ofKinds).toMatchObject({ total: 5, next: null })
  expect(ofKinds.findings.map(({ code }) => code)).toEqual(['orphan-mdevs', 'orphan-mdevs', 'trait-lost'])
  const ofOne = await listFindings(world.ctx(), { cloud: name, sort: 'kind', limit: 3, code: 'orphan-mdevs' })
  expect(ofOne.findings).toHaveLength(3)
  expect(ofOne.next).not.toBeNull()
})

test('a list carries no evidence, its finding does', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1')])
  expect(JSON.stringify(await listFindings(world.ctx(), { cloud: name }))).not.toContain('2 mdevs of A40-4Q')
  const detail = await getFinding(world.ctx(), { id: await onlyId(name) })
  expect(detail).toMatchObject({ key: orphans('cmp-1').key, evidence: orphans('cmp-1').evidence })
})

test('what is open is counted by severity, without what is acknowledged', async () => {
  const { id: cloudId, name } = await world.newCloud()
  const count = async (actor?: Actor) => (await countFindings(world.ctx(actor), { cloud: name })).open
  expect(await count()).toEqual({ error: 0, warning: 0, info: 0 })
  await detect(cloudId, [orphans('cmp-1'), orphans('cmp-2', 'error'), orphans('cmp-3', 'info')])
  expect(await count(READER)).toEqual({ error: 1, warning: 1, info: 1 })
  const id = await onlyId(name)
  await acknowledgeFinding(world.ctx(), { id, body: { note: 'known', days: 1 } })
  expect(await count()).toEqual({ error: 0, warning: 1, info: 1 })
  await detect(cloudId, [])
  expect(await count()).toEqual({ error: 0, warning: 0, info: 0 })
  await expect(count(TENANT)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a finding that a console of the release before stores during an update is read, and a round closes it', async () => {
  const { id: cloudId, name } = await world.newCloud()
  await detect(cloudId, [orphans('cmp-1')])
  const { sourceToCorrect, evidence, ...rest } = orphans('cmp-1')
  const body = {
    ...rest,
    blame: sourceToCorrect,
    evidence: evidence.map(({ reported, ...each }) => ({ ...each, said: reported })),
  }
  await world
    .database()
    .query('UPDATE finding SET body = $2 WHERE cloud_id = $1', [cloudId, JSON.stringify(body)], anyRow())
  const found = await listFindings(world.ctx(READER), { cloud: name, sourceToCorrect: 'hardware' })
  expect(found.findings).toMatchObject([{ sourceToCorrect: 'hardware', state: 'open' }])
  const id = found.findings[0]?.id ?? 0
  expect(await getFinding(world.ctx(READER), { id })).toMatchObject({ sourceToCorrect, evidence })
  await detect(cloudId, [])
  expect(await list(name)).toMatchObject([{ id, sourceToCorrect, state: 'closed' }])
})
