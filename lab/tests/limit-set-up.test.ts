import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { DEFAULT_AGES } from '@/lib/openstack/reading/slow-parts'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { configOf } from '@/lib/openstack/testing/suite/target'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
import { getLimitSetUp } from '@/lib/services/limit-set-up/get-limit-set-up'
import { tryLimit } from '@/lib/services/limit-set-up/try-limit'
import type { Repair } from './break'
import { createLabChanges } from './lab-changes'
import { labHosts, PASSWORD } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { forgetLimits } from './lab-limits'
import { reconfigure } from './lab-service'
import { openOperator, waitUntil } from './operator'
import { dropSpareMdevs } from './spare-mdevs'

const FLAVOR = 'vgpu.t4-4q'
const SERVERS = ['lab-first', 'lab-second', 'lab-third']

// Before 2023.1 Keystone lets only an admin of the system write limits.
const changes = createLabChanges({ isAdmin: true })
let operator: Awaited<ReturnType<typeof openOperator>>
let tenant: ServiceAccount
/** In the order in which they are to run. */
const repairs: Repair[] = []
const dropServers = () => Promise.all(SERVERS.map(operator.deleteServer))
beforeAll(async () => {
  operator = await openOperator()
  tenant = createServiceAccount(configOf(operator.target, operator.target.credentials.tenant))
  repairs.push(await forgetLimits(operator))
  repairs.unshift(
    reconfigure('nova', (text) => text.replace(/\[quota\][^[]*/, '').replace(/\[oslo_limit\][^[]*/, '')),
  )
})
afterAll(async () => {
  await dropServers()
  for (const host of labHosts()) await dropSpareMdevs(host)
  for (const repair of repairs) await repair()
  await tenant.close()
  await operator.close()
})

const setUp = (flavor: string | null = null) =>
  getLimitSetUp(changes.context(), { cloud: changes.cloud().name, flavor })

const factsOf = ({ facts }: Awaited<ReturnType<typeof setUp>>) =>
  Object.fromEntries(facts.map(({ id, state }) => [id, state]))

const planned = (limits: PlanLimits['limits'], rest: Partial<PlanLimits> = {}) =>
  changes.plan({ cloud: changes.cloud().name, kind: 'limits', limits, ...rest })

/** Limits are not read again so soon, and a round in which much has changed leaves them to the next. */
const readAgain = async () => {
  changes.pass(DEFAULT_AGES.limits * 1000)
  await changes.readRound()
  await changes.readRound()
}

/** The words in which Nova refuses a server; null: it makes it. */
const boot = async (name: string, flavorId: string): Promise<string | null> => {
  const [image] = await operator.nova.listImages()
  try {
    const uuid = await createNova({ account: tenant }).createServer({
      name,
      flavorId,
      imageId: image?.id ?? '',
      networks: 'none',
      metadata: {},
    })
    await waitUntil(`server ${name} ACTIVE`, async () => {
      const server = await operator.nova.getServer(uuid)
      if (server?.status === 'ERROR') throw new Error(`Server ${name} went to ERROR: ${server.fault}`)
      return server?.status === 'ACTIVE' ? true : null
    })
    return null
  } catch (error) {
    if (!isOpenStackError(error) || error.status !== 403) throw error
    return error.detail
  }
}

it('from a cloud without unified limits the set-up leads to one that refuses the third server as was foretold', async () => {
  const token = await tenant.token('project')
  const projectId = token.scope.kind === 'project' ? token.scope.id : ''
  const flavorId = (await operator.nova.listFlavors()).find(({ name }) => name === FLAVOR)?.id ?? ''
  const reported = async () =>
    (await setUp(flavorId)).dryRun?.projects.find((each) => each.projectId === projectId)
  await readAgain()
  const before = await setUp()
  expect(factsOf(before)).toMatchObject({ driver: 'open', role: 'open', registered: 'open', model: 'good' })
  expect(before.needed.every(({ registered }) => registered === null)).toBe(true)

  const vgpus = { resourceName: 'class:VGPU', projectId }
  const change = await planned([...before.proposals, { ...vgpus, value: 2 }], {
    setUp: { user: 'nova', domainId: null },
  })
  expect(previewOfKind('limits', change).limitChange.over).toEqual([])
  await changes.run(change.id, { action: 'start', state: 'done' })
  const [config] = previewOfKind('limits', change).limitChange.configs ?? []
  const text = config?.texts[0]?.text.replace(/^password = .*$/m, `password = ${PASSWORD}`) ?? ''
  expect(text).toContain('UnifiedLimitsDriver')
  // The repair that is there already puts the whole file back, with one restart.
  reconfigure('nova', (old) => `${old}\n${text}\n`)
  expect(factsOf(await setUp())).toMatchObject({ role: 'good', registered: 'good', region: 'good' })

  const [first = '', second = '', third = ''] = SERVERS
  expect(await reported()).toMatchObject({ state: 'fits' })
  expect(await boot(first, flavorId)).toBeNull()
  expect(await boot(second, flavorId)).toBeNull()
  const foretold = await reported()
  expect(foretold?.state).toBe('refused')
  expect(await boot(third, flavorId)).toBe(foretold?.message)
  // The admin's own project has as many as it holds, so that the console itself can show it.
  const [image] = await operator.nova.listImages()
  const body = { flavorId, imageId: image?.id ?? '' }
  expect(await tryLimit(changes.context(), { cloud: changes.cloud().name, body })).toMatchObject({
    state: 'refused',
    isForetold: true,
  })

  await readAgain()
  const more = await planned([{ ...vgpus, value: 3 }])
  await changes.run(more.id, { action: 'start', state: 'done' })
  expect(await reported()).toMatchObject({ state: 'fits' })
  expect(await boot(third, flavorId)).toBeNull()

  await changes.run(more.id, { action: 'roll-back', state: 'undone' })
  expect((await reported())?.message).toContain('over limit of 2 due to current usage 3')
  await changes.run(change.id, { action: 'roll-back', state: 'undone' })
  const after = await setUp()
  expect(after.needed.every(({ registered }) => registered === null)).toBe(true)
  expect(factsOf(after)).toMatchObject({ role: 'open', registered: 'open' })
}, 900_000)

it('the lab is as it was', async () => {
  await dropServers()
  for (const host of labHosts()) await dropSpareMdevs(host)
  for (const repair of repairs.splice(0)) await repair()
  await becomesCalm()
})
