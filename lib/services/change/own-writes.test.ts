import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { NOW } from '@/lib/services/testing/service-world'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'
import { RETYPED, stepHosts } from './testing/step-hosts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let now = NOW
const world = createChangeWorld({
  allow: COMMAND_NAMES,
  fleetOf: (fleet) => stepHosts(fleet).filter(({ spec }, order) => order < 2 || spec.name === RETYPED),
  now: () => now,
})
const ctx = () => ({ ...world.ctx(), now: () => now })

const pass = (): void => {
  now = new Date(now.getTime() + 100)
}

beforeEach(async () => {
  await world.readAgain()
  await world.readAgain()
})

type Action = Parameters<typeof actOnChange>[1]['body']['action']

const act = async ({ id }: Pick<ChangeDetail, 'id'>, action: Action, isByHand = false) => {
  pass()
  const { version } = await getChange(ctx(), { id })
  return actOnChange(ctx(), { id, body: { action, version, ...(action === 'start' ? { isByHand } : {}) } })
}

const turn = async ({ id }: Pick<ChangeDetail, 'id'>) => {
  pass()
  await world.run(id, { now: () => now })
  return getChange(ctx(), { id })
}

const run = async (change: Pick<ChangeDetail, 'id'>, action: Action = 'start', isByHand = false) => {
  await act(change, action, isByHand)
  return turn(change)
}

const plan = (input: PlanChange) => {
  pass()
  return createChange(ctx(), input)
}

const blockedStep = ({ steps }: ChangeDetail) => steps.find(({ state }) => state === 'blocked')

const changed = ({ id, title }: ChangeDetail) => ` Change ${id} (${title}) changed it.`

const firstFlavor = () => {
  const [flavor] = world.openstack().cloud.nova.flavors
  if (flavor === undefined) throw new Error('the cloud has no flavor')
  return flavor
}

const hidden = (text: string, others: Record<string, string> = {}): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'flavor',
  isNoMatchAccepted: true,
  input: {
    do: 'change',
    flavorIds: [firstFlavor().id],
    trait: null,
    set: { hide_hypervisor_id: text, ...others },
    unset: [],
    grant: [],
    revoke: [],
  },
})

const limit = (value: number): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'limits',
  limits: [
    { resourceName: 'class:VGPU', projectId: world.openstack().cloud.keystone.projects[0]?.id ?? '', value },
  ],
})

const card = (index: number) => ({
  host: RETYPED,
  address: world.living(RETYPED).spec().gpus[index]?.address ?? '',
})

const retype = (index: number): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'type',
  gpus: [card(index)],
  typeId: 'nvidia-320',
  resourceClass: null,
  isFlavorLossAccepted: true,
})

const traits = (index: number, providerConfig: 'leave' | 'write' = 'leave'): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'traits',
  gpus: [card(index)],
  rule: 'CUSTOM_OWN_{type}',
  isManaged: false,
  providerConfig,
})

const CASES: readonly [string, (order: 'first' | 'second') => PlanChange][] = [
  ['extra specs', (order) => hidden(order === 'first' ? 'true' : 'false')],
  ['limits', (order) => limit(order === 'first' ? 77 : 78)],
  ['nova.conf of a host', (order) => retype(order === 'first' ? 0 : 1)],
  ['traits of a card whose type changed', (order) => (order === 'first' ? retype(0) : traits(0))],
]

test.each(CASES)('a step on %s that another change wrote names that change', async (_, input) => {
  const second = await plan(input('second'))
  const first = await plan(input('first'))
  expect(await run(first)).toMatchObject({ stopReason: null, state: 'done' })
  const ended = await run(second)
  expect(blockedStep(ended)).toMatchObject({
    writerChangeId: first.id,
    note: expect.stringContaining(changed(first)),
  })
  expect(ended.state).toBe('running')
  await run(ended, 'roll-back')
  expect(await run(first, 'roll-back')).toMatchObject({ state: 'undone' })
})

test('a target that was changed outside of the console names no change', async () => {
  const done = await run(await plan(hidden('true')))
  expect(done.state).toBe('done')
  const next = await plan(hidden('false'))
  firstFlavor().extraSpecs.hide_hypervisor_id = '1'
  const blocked = blockedStep(await run(next))
  expect(blocked?.note).toMatch(/hide_hypervisor_id changed after the plan was made: from "true" to "1"\.$/)
  expect(blocked?.writerChangeId).toBeNull()
  await run(next, 'roll-back')
  delete firstFlavor().extraSpecs.hide_hypervisor_id
})

test('a value that was changed outside of the console names no change of another value', async () => {
  const second = await plan(hidden('true', { 'hw:boot_menu': 'true' }))
  const first = await plan(hidden('true'))
  expect(await run(first)).toMatchObject({ state: 'done' })
  firstFlavor().extraSpecs['hw:boot_menu'] = 'false'
  expect(blockedStep(await run(second))).toMatchObject({
    writerChangeId: null,
    note: expect.stringMatching(/hw:boot_menu changed after the plan was made: from nothing to "false"\.$/),
  })
  await run(second, 'roll-back')
  await run(first, 'roll-back')
  delete firstFlavor().extraSpecs['hw:boot_menu']
})

test('a manual step that waits for a person has written nothing', async () => {
  const second = await plan(hidden('false'))
  const first = await plan(hidden('true'))
  const waiting = await run(first, 'start', true)
  expect(waiting.steps[0]?.state).toBe('waiting')
  await act(first, 'stop')
  await act(first, 'drop')
  firstFlavor().extraSpecs.hide_hypervisor_id = '1'
  expect(blockedStep(await run(second))).toMatchObject({
    writerChangeId: null,
    note: expect.stringMatching(/to "1"\.$/),
  })
  await run(second, 'roll-back')
  delete firstFlavor().extraSpecs.hide_hypervisor_id
})

test('a roll back names what was written after the step was done, and not what was written before', async () => {
  const change = await plan(hidden('true'))
  const before = await plan(hidden('false'))
  await run(before)
  expect(await run(before, 'roll-back')).toMatchObject({ state: 'undone' })
  expect(await run(change)).toMatchObject({ state: 'done' })
  firstFlavor().extraSpecs.hide_hypervisor_id = '1'
  await run(change, 'roll-back')
  // Also when the blocked step is checked again.
  expect(blockedStep(await turn(change))).toMatchObject({
    writerChangeId: null,
    note: expect.stringMatching(/changed after this change wrote it: from "true" to "1"\.$/),
  })
  firstFlavor().extraSpecs.hide_hypervisor_id = 'true'
  expect(await turn(change)).toMatchObject({ state: 'undone' })

  const again = await plan(hidden('true'))
  await run(again)
  const after = await plan(hidden('false'))
  await run(after)
  expect(blockedStep(await run(again, 'roll-back'))).toMatchObject({
    writerChangeId: after.id,
    note: expect.stringContaining(changed(after)),
    wayOut: 'Skip the step to keep the current value.',
  })
  await act(again, 'stop')
  await act(again, 'drop')
  expect(await run(after, 'roll-back')).toMatchObject({ state: 'undone' })
  delete firstFlavor().extraSpecs.hide_hypervisor_id
})

test('what would unblock a step stays true when the change that wrote its target has ended', async () => {
  const second = await plan(traits(1, 'write'))
  const first = await plan(traits(0, 'write'))
  expect(await run(first)).toMatchObject({ state: 'done' })
  await act(first, 'roll-back')
  const expected = { writerChangeId: first.id, wayOut: `Plan again after change ${first.id} has ended.` }
  expect(blockedStep(await run(second))).toMatchObject(expected)
  expect(await run(first, 'go-on')).toMatchObject({ state: 'done' })
  expect(blockedStep(await turn(second))).toMatchObject(expected)
  await run(second, 'roll-back')
  await run(first, 'roll-back')
})

const providerName = (index: number): string =>
  `${RETYPED}_pci_${card(index).address.replaceAll(/[:.]/g, '_')}`

/** The console restored a managed trait on the provider of a card. */
const restoreTrait = async (index: number) => {
  const { host, address } = card(index)
  const { id } = await plan(traits(index))
  pass()
  await world.ctx().database.prisma.managedTrait.create({
    data: {
      cloudId: world.cloud().id,
      host,
      address,
      trait: 'CUSTOM_KEPT',
      pgpuAddress: address,
      providerName: providerName(index),
      typeId: 'nvidia-319',
      typeName: 'T4-4C',
      changeId: id,
      addedBy: 'user:anna@Default',
      addedAt: now,
      putBackAt: now,
    },
  })
}

test('a step on traits that differ names the managed trait that the console restored', async () => {
  const tagged = await plan(traits(1))
  await restoreTrait(1)
  const placement = world.placement()
  const [provider] = await placement.listProviders({ name: providerName(1) })
  const uuid = provider?.uuid ?? ''
  const { generation, traits: own } = await placement.getTraits(uuid)
  await placement.createTrait('CUSTOM_OWN_T4_8C')
  await placement.putTraits(uuid, { generation, traits: [...own, 'CUSTOM_OWN_T4_8C'] })
  expect(blockedStep(await run(tagged))).toMatchObject({
    writerChangeId: null,
    note: expect.stringContaining(' The console restored the managed trait CUSTOM_KEPT at 20'),
  })
  await act(tagged, 'roll-back')
  await world.ctx().database.prisma.managedTrait.deleteMany({ where: { host: RETYPED } })
  const { generation: next } = await placement.getTraits(uuid)
  await placement.putTraits(uuid, { generation: next, traits: own })
  await turn(tagged)
})

test('a step whose card got another type by hand names neither a change of another card nor a restored trait', async () => {
  const tagged = await plan(traits(1))
  const first = await plan(retype(0))
  expect(await run(first)).toMatchObject({ state: 'done' })
  await restoreTrait(1)
  const living = world.living(RETYPED)
  const file = path.join(living.root, 'etc/nova/nova.conf.d/zz-local.conf')
  mkdirSync(path.dirname(file), { recursive: true })
  const addresses = [0, 1].map((index) => card(index).address).join(',')
  writeFileSync(
    file,
    `[devices]\nenabled_mdev_types = nvidia-320\n[mdev_nvidia-320]\ndevice_addresses = ${addresses}\n`,
  )
  living.applyWrites()
  await world.report(RETYPED)
  expect(blockedStep(await run(tagged))).toMatchObject({
    writerChangeId: null,
    note: expect.stringMatching(/ had T4-4C \(nvidia-319\) at planning\.$/),
  })
})
