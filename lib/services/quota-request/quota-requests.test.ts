import { beforeEach, describe, expect, it, vi } from 'vitest'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import {
  ownRequestListSchema,
  type QuotaRequest,
  requestDetailSchema,
  requestListSchema,
} from '@/lib/schemas/api/quota-request'
import type { DecideRequest, MakeRequest } from '@/lib/schemas/api/quota-request-inputs'
import type { RequestListScope } from '@/lib/schemas/api/scope'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { getChange } from '@/lib/services/change/get-change'
import { createChangeWorld } from '@/lib/services/change/testing/change-world'
import { NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { decideRequest } from './decide-request'
import { endGrants } from './end-grants'
import { getRequest } from './get-request'
import { listRequests } from './list-requests'
import { makeRequest } from './make-request'
import { listOwnRequests } from './own-requests'
import { withdrawRequest } from './withdraw-request'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createChangeWorld({
  fleetOf: (fleet) => fleet.slice(0, 3).map((host) => ({ ...host, story: { kind: 'still' } })),
})

const VGPU = 'class:VGPU'
const LATER = new Date(NOW.getTime() + 3_600_000).toISOString()

const keystone = () => world.openstack().cloud.keystone
const projectId = (name: string): string => {
  const found = keystone().projects.find((each) => each.name === name)
  if (found === undefined) throw new Error(`the demo has no project ${name}`)
  return found.id
}

const member = (project: string, id = projectId(project)): Actor => ({
  kind: 'user',
  name: `tina@${project}`,
  roles: ['tenant'],
  account: {
    cloud: world.cloud().name,
    userId: 'u-tina',
    userName: 'tina',
    userDomain: 'Default',
    scope: { kind: 'project', id, name: project, domain: 'Default' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
  },
})
const admin = (name: string): Actor => ({ kind: 'user', name, roles: ['admin'] })

const [OWN, OTHER] = ['cfd-lab', 'admin']

const vgpuOf = (project: string): number | undefined =>
  keystone().limits.find(
    (row) => row.resourceName === VGPU && row.projectId === projectId(project) && row.regionId !== null,
  )?.resourceLimit

const requestInput = (value: number, rest: Partial<MakeRequest> = {}): MakeRequest => ({
  resourceName: VGPU,
  value,
  until: LATER,
  reason: 'A course of 40 students',
  ...rest,
})

const ask = async (value: number, project = OWN): Promise<QuotaRequest> => {
  await makeRequest(world.ctx(member(project)), { body: requestInput(value) })
  const { requests } = await listRequests(world.ctx(READER), { cloud: world.cloud().name })
  const found = requests.find((each) => each.projectName === project && each.status === 'open')
  if (found === undefined) throw new Error('a request that was made is listed')
  return found
}

const approval = (request: QuotaRequest, rest: Partial<DecideRequest> = {}): DecideRequest =>
  ({
    decision: 'approve',
    version: request.version,
    value: request.value,
    until: request.until,
    answer: '',
    ...rest,
  }) as DecideRequest

const grant = async (value: number): Promise<QuotaRequest> => {
  const request = await ask(value)
  const { change } = await decideRequest(world.ctx(admin('anna')), {
    id: request.id,
    body: approval(request),
  })
  await world.run(change?.id ?? 0)
  await world.readAgain()
  await world.readAgain()
  return getRequest(world.ctx(READER), { id: request.id })
}

const query = (sql: string, values: readonly unknown[] = []) => world.ctx().database.query(sql, values)

/** Its end date has come. */
const lapse = (id: number) =>
  query(`UPDATE quota_request SET granted_until = $2::timestamptz WHERE id = $1`, [id, NOW])

const system = (rest: Partial<ServiceContext> = {}): ServiceContext => ({
  ...world.ctx({ kind: 'system' }),
  ...rest,
})

/** Looks, and runs what they began, until nothing is left to do. */
const endAll = async (id: number): Promise<QuotaRequest> => {
  for (let look = 0; look < 4; look++) {
    await endGrants(system())
    const { backChange } = await getRequest(world.ctx(READER), { id })
    if (backChange?.state === 'running') await world.run(backChange.id)
  }
  return getRequest(world.ctx(READER), { id })
}

const actions = async (): Promise<string[]> => {
  const rows = (await query(
    `SELECT action FROM audit_entry WHERE action LIKE 'quota-request.%' ORDER BY id`,
  )) as {
    action: string
  }[]
  return rows.map(({ action }) => action.replace('quota-request.', ''))
}

beforeEach(async () => {
  world.openstack().controls.heal()
  await query('DELETE FROM quota_request')
  world.openstack().controls.setLimit({ project: OWN, value: '4' })
  await world.readAgain()
  await world.readAgain()
})

const ownState = async () => (await listOwnRequests(world.ctx(member(OWN)))).requests[0]?.status

describe('a project', () => {
  it('requests more, sees its own requests alone, and withdraws', async () => {
    await makeRequest(world.ctx(member(OTHER)), { body: requestInput(90, { reason: 'secret of others' }) })
    const made = await makeRequest(world.ctx(member(OWN)), { body: requestInput(9) })
    expect(made).toMatchObject({ number: 1, status: 'open', value: 9, until: LATER })
    const own = ownRequestListSchema.parse(await listOwnRequests(world.ctx(member(OWN))))
    expect(own.requests).toHaveLength(1)
    expect(own.classes?.find(({ resourceName }) => resourceName === VGPU)?.limit).toMatchObject({ value: 4 })
    expect(JSON.stringify(own)).not.toMatch(/secret of others|"id"|capacity|promised/)
    await expect(withdrawRequest(world.ctx(member(OWN)), { number: 2 })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await withdrawRequest(world.ctx(member(OWN)), { number: 1 })).toMatchObject({
      status: 'withdrawn',
    })
    await expect(withdrawRequest(world.ctx(member(OWN)), { number: 1 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Request 1 was withdrawn, so it cannot be withdrawn.',
    })
    expect(await actions()).toEqual(expect.arrayContaining(['make', 'withdraw']))
  })

  it('may request what its flavors request and nothing else', async () => {
    const ctx = world.ctx(member(OWN))
    const refusal = (body: MakeRequest) => makeRequest(ctx, { body }).catch((error: Error) => error.message)
    expect(await refusal(requestInput(9, { resourceName: 'class:CUSTOM_OF_OTHERS' }))).toContain(
      'no flavor of your project',
    )
    expect(await refusal(requestInput(4))).toContain('the limit is already 4')
    expect(await refusal(requestInput(9, { until: NOW.toISOString() }))).toContain('must be later than now')
    await makeRequest(ctx, { body: requestInput(9) })
    expect(await refusal(requestInput(10))).toContain('Request 1 for class:VGPU is already open')
  })

  it('is refused the actions of admins, and admins without a project cannot request quota', async () => {
    const request = await ask(9)
    const tenant = world.ctx(member(OWN))
    await expect(listRequests(tenant, { cloud: null })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(getRequest(tenant, { id: request.id })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(decideRequest(tenant, { id: request.id, body: approval(request) })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(
      decideRequest(world.ctx(READER), { id: request.id, body: approval(request) }),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(listOwnRequests(world.ctx(TENANT))).rejects.toMatchObject({ code: 'precondition' })
    await expect(makeRequest(world.ctx(admin('anna')), { body: requestInput(9) })).rejects.toMatchObject({
      code: 'precondition',
    })
  })
})

describe('an admin', () => {
  it('sees what approving would offer, approves, and the limit is written', async () => {
    const request = await ask(9)
    const { effect } = requestDetailSchema.parse(await getRequest(world.ctx(READER), { id: request.id }))
    const [promised] = effect?.change.classes ?? []
    expect((promised?.after ?? 0) - (promised?.before ?? 0)).toBe(5)
    expect(effect).toMatchObject({ openCount: 1, openDemand: 5 })
    const { requests } = requestListSchema.parse(await listRequests(world.ctx(READER), { cloud: null }))
    expect(requests[0]).toMatchObject({ status: 'open', limit: { value: 4 }, promised: promised?.before })
    const decided = await decideRequest(world.ctx(admin('anna')), {
      id: request.id,
      body: approval(request, { value: 7 }),
    })
    expect(decided).toMatchObject({
      status: 'writing',
      grantedValue: 7,
      beforeValue: 4,
      decidedBy: 'user:anna',
    })
    await world.run(decided.change?.id ?? 0)
    expect(vgpuOf(OWN)).toBe(7)
    expect(await getRequest(world.ctx(READER), { id: request.id })).toMatchObject({ status: 'granted' })
    expect((await listOwnRequests(world.ctx(member(OWN)))).requests[0]).toMatchObject({ grantedValue: 7 })
    expect((await actions()).slice(-2)).toEqual(['make', 'approve'])
  })

  it('declines with a text that the project reads', async () => {
    const request = await ask(9)
    const body: DecideRequest = { decision: 'decline', version: 1, answer: 'Use the A16 class.' }
    await expect(
      decideRequest(world.ctx(admin('anna')), { id: request.id, body: { ...body, answer: ' ' } }),
    ).rejects.toMatchObject({ code: 'validation' })
    await decideRequest(world.ctx(admin('anna')), { id: request.id, body })
    const [own] = (await listOwnRequests(world.ctx(member(OWN)))).requests
    expect(own).toMatchObject({ status: 'declined', answer: 'Use the A16 class.' })
    expect(JSON.stringify(own)).not.toContain('anna')
    expect(vgpuOf(OWN)).toBe(4)
  })

  it('reads requests page by page, with the counts of all, searched and by group', async () => {
    const declined = await ask(9)
    await decideRequest(world.ctx(admin('anna')), {
      id: declined.id,
      body: { decision: 'decline', version: 1, answer: 'Use the A16 class.' },
    })
    const open = await ask(10)
    const { database } = world.ctx()
    const { id: _, ...row } = await database.prisma.quotaRequest.findUniqueOrThrow({
      where: { id: declined.id },
    })
    await database.prisma.quotaRequest.createMany({
      data: Array.from({ length: 320 }, (_, n) => ({ ...row, number: 100 + n, reason: `Course ${n}` })),
    })
    const page = async (rest: Partial<RequestListScope>) =>
      requestListSchema.parse(await listRequests(world.ctx(READER), { cloud: world.cloud().name, ...rest }))
    const first = await page({ limit: 200 })
    const second = await page({ limit: 200, cursor: first.next })
    const ids = [...first.requests, ...second.requests].map(({ id }) => id)
    expect(ids[0]).toBe(open.id)
    expect(ids.slice(1)).toEqual(ids.slice(1).toSorted((a, b) => b - a))
    expect([new Set(ids).size, first.total, second.next]).toEqual([322, 322, null])
    expect(first.counts).toEqual({ open: 1, granted: 0, past: 321 })
    expect((await page({ group: 'open' })).requests.map(({ id }) => id)).toEqual([open.id])
    const found = await page({ q: 'course 319 vgpu', limit: 1 })
    expect(found).toMatchObject({ total: 1, counts: first.counts, requests: [{ reason: 'Course 319' }] })
    expect(found.requests[0]).toMatchObject({ limit: { value: 4 }, promised: first.requests[0]?.promised })
  })

  it('shows an admin of another cloud nothing, and takes no decision of theirs', async () => {
    const request = await ask(9)
    const tina = member(OWN)
    if (tina.kind !== 'user' || tina.account === undefined) throw new Error('a member has an account')
    const account = { ...tina.account, cloud: 'another', scope: { kind: 'system' as const } }
    const otto: Actor = { kind: 'user', name: 'otto', roles: ['admin'], account }
    const gone = { code: 'not_found' }
    await expect(getRequest(world.ctx(otto), { id: request.id })).rejects.toMatchObject(gone)
    const body: DecideRequest = { decision: 'decline', version: request.version, answer: 'No.' }
    await expect(decideRequest(world.ctx(otto), { id: request.id, body })).rejects.toMatchObject(gone)
    await expect(
      decideRequest(world.ctx(otto), { id: request.id, body: approval(request) }),
    ).rejects.toMatchObject(gone)
    expect((await getRequest(world.ctx(READER), { id: request.id })).status).toBe('open')
  })

  it('decides nothing in a version that is not the present one', async () => {
    const request = await ask(9)
    const version = request.version + 1
    for (const body of [
      { decision: 'decline', version, answer: 'No.' } as const,
      approval({ ...request, version }),
    ])
      await expect(decideRequest(world.ctx(admin('anna')), { id: request.id, body })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('has changed'),
      })
    expect(vgpuOf(OWN)).toBe(4)
    const body: DecideRequest = { decision: 'decline', version: request.version, answer: 'No.' }
    await decideRequest(world.ctx(admin('anna')), { id: request.id, body })
  })

  it('names who decided first, and of two at once exactly one decides', async () => {
    const request = await ask(9)
    const outcomes = await Promise.allSettled([
      decideRequest(world.ctx(admin('anna')), { id: request.id, body: approval(request) }),
      decideRequest(world.ctx(admin('ben')), {
        id: request.id,
        body: { decision: 'decline', version: request.version, answer: 'No.' },
      }),
    ])
    const lost = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
    expect(lost).toHaveLength(1)
    const { decidedBy } = await getRequest(world.ctx(READER), { id: request.id })
    expect(lost[0]).toMatchObject({ code: 'conflict' })
    expect(lost[0]?.message).toContain(`${decidedBy?.replace('user:', '')} was first`)
    const changes = (await query(
      'SELECT change_id AS id FROM quota_request WHERE change_id IS NOT NULL',
    )) as { id: number }[]
    expect(changes).toHaveLength(decidedBy === 'user:anna' ? 1 : 0)
    // An approval holds the limit until its change has ended.
    for (const { id } of changes) await world.run(id)
  })

  it('takes a second click of the project or the admin for the first one', async () => {
    const member1 = world.ctx(member(OWN))
    const [first, second] = await Promise.all(
      [1, 2].map(() => makeRequest(member1, { body: requestInput(9) })),
    )
    expect(second?.number).toBe(first?.number)
    const [request] = (await listRequests(world.ctx(READER), { cloud: world.cloud().name })).requests
    if (request === undefined) throw new Error('the request is listed')
    const body: DecideRequest = { decision: 'decline', version: request.version, answer: 'No.' }
    const clicks = await Promise.all(
      [1, 2].map(() => decideRequest(world.ctx(admin('anna')), { id: request.id, body })),
    )
    expect(clicks.map(({ status: state }) => state)).toEqual(['declined', 'declined'])
    expect((await actions()).slice(-2)).toEqual(['make', 'decline'])
    await expect(decideRequest(world.ctx(admin('ben')), { id: request.id, body })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('decides again what a dropped change did not write', async () => {
    const request = await ask(9)
    const ctx = { ...world.ctx(admin('anna')), approvesChanges: true }
    const { change } = await decideRequest(ctx, { id: request.id, body: approval(request) })
    expect(change?.state).toBe('planned')
    await actOnChange(world.ctx(admin('ben')), { id: change?.id ?? 0, body: { action: 'drop', version: 1 } })
    const unwritten = await getRequest(world.ctx(READER), { id: request.id })
    expect(unwritten.status).toBe('unwritten')
    // Which change failed concerns admins only; the project's request is open again.
    expect(await ownState()).toBe('open')
    const body: DecideRequest = { decision: 'decline', version: unwritten.version, answer: 'Not now.' }
    expect(await decideRequest(ctx, { id: request.id, body })).toMatchObject({
      status: 'declined',
      change: null,
    })
  })
})

describe('a granted request whose change is rolled back', () => {
  it('reads "Reverted" with its time, is open again, and can be approved or withdrawn', async () => {
    const granted = await grant(9)
    const changeId = granted.change?.id ?? 0
    const { version } = await getChange(world.ctx(), { id: changeId })
    await actOnChange(world.ctx(admin('anna')), { id: changeId, body: { action: 'roll-back', version } })
    await world.run(changeId)
    await world.readAgain()
    expect(vgpuOf(OWN)).toBe(4)

    const { endedAt } = await getChange(world.ctx(), { id: changeId })
    const ofProject = (await listOwnRequests(world.ctx(member(OWN)))).requests[0]
    expect(ofProject).toMatchObject({
      status: 'reverted',
      revertedAt: endedAt,
      decidedAt: null,
      answer: null,
      grantedValue: null,
      grantedUntil: null,
    })
    const open = await getRequest(world.ctx(READER), { id: granted.id })
    expect(open).toMatchObject({ status: 'reverted', revertedAt: endedAt })
    expect(open.effect).not.toBeNull()

    const { change } = await decideRequest(world.ctx(admin('anna')), { id: open.id, body: approval(open) })
    await world.run(change?.id ?? 0)
    await world.readAgain()
    expect(vgpuOf(OWN)).toBe(9)
    const again = await getChange(world.ctx(), { id: change?.id ?? 0 })
    await actOnChange(world.ctx(admin('anna')), {
      id: again.id,
      body: { action: 'roll-back', version: again.version },
    })
    await world.run(again.id)
    await world.readAgain()
    const limitOf = async () =>
      (await listOwnRequests(world.ctx(member(OWN)))).classes?.find(
        ({ resourceName }) => resourceName === VGPU,
      )?.limit
    expect(await limitOf()).toMatchObject({ value: 4 })
    // Read before the rollback ended: the limit that was read may no longer be the current one.
    await query(`UPDATE change SET ended_at = ended_at + interval '1 minute' WHERE id = $1`, [again.id])
    expect(await limitOf()).toBeNull()
    const { number } = (await listOwnRequests(world.ctx(member(OWN)))).requests[0] ?? { number: 0 }
    expect(await withdrawRequest(world.ctx(member(OWN)), { number })).toMatchObject({
      status: 'withdrawn',
      revertedAt: null,
    })
  })
})

describe('the end date', () => {
  it('reverts the limit with the service account, once', async () => {
    const { id } = await grant(9)
    expect(vgpuOf(OWN)).toBe(9)
    await lapse(id)
    await Promise.all([endGrants(system()), endGrants(system())])
    const ended = await endAll(id)
    expect(vgpuOf(OWN)).toBe(4)
    expect(ended).toMatchObject({ status: 'ended', endNote: null, problem: null })
    expect((await getChange(world.ctx(), { id: ended.backChange?.id ?? 0 })).runBy).toBe('system')
    expect((await actions()).slice(-3)).toEqual(['approve', 'take-back', 'end'])
  })

  it('needs no second person, who approved it with the request', async () => {
    const { id } = await grant(9)
    await lapse(id)
    await endGrants(system({ approvesChanges: true }))
    expect(await endAll(id)).toMatchObject({ status: 'ended' })
  })

  it('does not revert a limit that was changed in the meantime, and states this', async () => {
    const { id } = await grant(9)
    world.openstack().controls.setLimit({ project: OWN, value: '12' })
    await lapse(id)
    const ended = await endAll(id)
    expect(vgpuOf(OWN)).toBe(12)
    expect(ended).toMatchObject({ status: 'left', backChange: null })
    expect(ended.endNote).toBe('The limit was granted as 9, but is 12 now, so it is not reverted.')
    expect(await ownState()).toBe('ended')
  })

  it('passes the value to revert to on to a later grant', async () => {
    const first = await grant(9)
    const second = await grant(14)
    expect(second.beforeValue).toBe(9)
    await lapse(first.id)
    expect((await endAll(first.id)).endNote).toContain(`Request ${second.id} was granted on top`)
    expect(vgpuOf(OWN)).toBe(14)
    await lapse(second.id)
    await endAll(second.id)
    expect(vgpuOf(OWN)).toBe(4)
  })

  it('states why a limit cannot be reverted, and continues when it can', async () => {
    const { id } = await grant(9)
    await lapse(id)
    const accounts = world.ctx().accounts.map((account) => ({
      ...account,
      withToken: () => {
        throw new OpenStackError('Keystone did not answer.', {
          kind: 'http',
          service: 'keystone',
          cloud: '',
          status: 503,
        })
      },
    }))
    await endGrants(system({ accounts }))
    expect(await getRequest(world.ctx(READER), { id })).toMatchObject({
      status: 'granted',
      problem: expect.stringContaining('Keystone did not answer'),
    })
    expect(await endAll(id)).toMatchObject({ status: 'ended', problem: null })
  })

  it('discards a plan that was not started in time', async () => {
    const request = await ask(9)
    const ctx = { ...world.ctx(admin('anna')), approvesChanges: true }
    await decideRequest(ctx, { id: request.id, body: approval(request) })
    await lapse(request.id)
    const ended = await endAll(request.id)
    expect(ended).toMatchObject({ status: 'left', change: { state: 'dropped' } })
    expect(ended.endNote).toContain('never written')
    expect(vgpuOf(OWN)).toBe(4)
  })
})
