import { expect, test, vi } from 'vitest'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { createTraitKeeper } from '@/lib/services/managed-trait/create-trait-keeper'
import { READER } from '@/lib/services/testing/service-world'
import { configuredType } from '@/simulator/host/host-lookup'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { loadFleetForPlan } from './load-fleet-for-plan'
import { previewChange } from './preview-change'
import { setTerms } from './set-terms'
import { createChangeWorld } from './testing/change-world'
import { createOperator } from './testing/operator'
import { previewOfKind } from './testing/preview-of-kind'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const [BUSY, OTHER] = ['cmp-r2-05', 'cmp-r2-06']

/** Two T4 hosts of one type on which nothing happens automatically. */
const world = createChangeWorld({
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => [BUSY, OTHER].includes(spec.name))
      .map((host) => ({ ...host, story: { kind: 'still' } })),
})
const operator = createOperator(world)

const addressesOf = (host: string) =>
  operator
    .hostNamed(host)
    .spec()
    .gpus.map(({ address }) => address)

const planInput = (over: Partial<PlanTypeChange> = {}): PlanTypeChange => ({
  cloud: world.cloud().name,
  kind: 'type',
  gpus: [{ host: BUSY, address: addressesOf(BUSY)[0] ?? '' }],
  typeId: 'nvidia-320',
  resourceClass: null,
  isFlavorLossAccepted: true,
  ...over,
})

const act = (
  { id, version }: Pick<ChangeDetail, 'id' | 'version'>,
  action: 'start' | 'go-on' | 'roll-back',
  isByHand = false,
) => actOnChange(world.ctx(), { id, body: { action, version, ...(action === 'start' ? { isByHand } : {}) } })

const providerOf = async (host: string, address: string) => {
  const name = `${host}_pci_${address.replace(/[:.]/g, '_')}`
  const [provider] = await world.placement().listProviders({ name })
  if (provider === undefined) return null
  const { inventories } = await world.placement().getInventories(provider.uuid)
  const { traits } = await world.placement().getTraits(provider.uuid)
  return {
    totals: Object.fromEntries(Object.entries(inventories).map(([name, { total }]) => [name, total])),
    traits: traits.filter((trait) => trait.startsWith('CUSTOM_')).toSorted(),
  }
}

const serviceOf = (host: string) => {
  const compute = world.openstack().cloud.nova.computes.find((one) => one.host === host)
  return { isDisabled: compute?.isDisabled, reason: compute?.disabledReason }
}

test('a whole busy T4 host goes from nvidia-319 to nvidia-320 and back, its servers moved to the other host', async () => {
  const addresses = addressesOf(BUSY)
  const before = await Promise.all(addresses.map((address) => providerOf(BUSY, address)))
  const held = operator.hostNamed(BUSY).spec().guests.length
  expect(held).toBeGreaterThan(0)
  expect(before[0]?.totals).toEqual({ VGPU: 4 })
  const planned = await createChange(world.ctx(), planInput({ gpus: { host: BUSY } }))
  expect(previewOfKind('type', planned).typeChange?.servers).toHaveLength(held)
  expect(previewOfKind('type', planned).typeChange?.hosts[0]?.configAfter).toBe(
    '[devices]\nenabled_mdev_types = nvidia-320',
  )
  await act(planned, 'start')
  const done = await operator.toEnd(planned.id, 'done')
  expect(done.steps.every(({ state }) => state === 'done')).toBe(true)
  const spec = operator.hostNamed(BUSY).spec()
  expect(spec.guests).toEqual([])
  expect(addresses.map((address) => configuredType(spec, address))).toEqual(addresses.map(() => 'nvidia-320'))
  for (const address of addresses)
    expect(await providerOf(BUSY, address)).toMatchObject({
      totals: { VGPU: 2 },
      traits: ['CUSTOM_GRID_T4_8C'],
    })
  expect(serviceOf(BUSY)).toEqual({ isDisabled: false, reason: null })

  await act(done, 'roll-back')
  await operator.toEnd(planned.id, 'undone')
  expect(await Promise.all(addresses.map((address) => providerOf(BUSY, address)))).toEqual(before)
  expect(serviceOf(BUSY)).toEqual({ isDisabled: false, reason: null })
})

test('a batch ends with its hosts, every host is disabled from the start, and no other change can plan on them', async () => {
  const [own, next] = addressesOf(BUSY)
  const [other] = addressesOf(OTHER)
  const at = (host: string, address: string | undefined) => ({ host, address: address ?? '' })
  const planned = await createChange(world.ctx(), planInput({ gpus: [at(BUSY, own), at(OTHER, other)] }))
  const bound = await setTerms(world.ctx(), {
    id: planned.id,
    body: { version: planned.version, needsApproval: false, window: null, batchHosts: 1 },
  })
  await act(bound, 'start')
  const stopped = await operator.toEnd(planned.id, 'stopped')
  expect(stopped.stopReason).toMatch(/^Batch 1 of 2 is done/)
  expect(await providerOf(BUSY, own ?? '')).toMatchObject({ totals: { VGPU: 2 } })
  expect(serviceOf(BUSY).isDisabled).toBe(false)
  expect(serviceOf(OTHER).isDisabled).toBe(true)
  await expect(createChange(world.ctx(), planInput({ gpus: [at(BUSY, next)] }))).rejects.toThrow(
    new RegExp(`is held by change ${planned.id} .*wait until that change has ended`),
  )
  await act(stopped, 'roll-back')
  await operator.toEnd(planned.id, 'undone')
  expect(await providerOf(BUSY, own ?? '')).toMatchObject({ totals: { VGPU: 4 } })
  expect(serviceOf(OTHER).isDisabled).toBe(false)
})

/** Two rounds that restore managed traits; between them every host has reported. */
const keepNow = async () => {
  await world.readAgain()
  const { database, log, now } = world.ctx()
  const keeper = createTraitKeeper({ database, cloud: world.cloud(), placement: world.placement(), log, now })
  const fleet = await loadFleetForPlan(world.ctx(), world.cloud())
  await keeper({ ...fleet, input: { ...fleet.input, now: '2020-01-01T00:00:00.000Z' } })
  await keeper(fleet)
}

test('a managed trait follows the type of its pGPU, and the old trait is restored only with the old type', async () => {
  const [address = ''] = addressesOf(BUSY)
  const gpu = { host: BUSY, address }
  const managed = async () => (await world.snapshot()).managed
  const provider = `${BUSY}_pci_${address.replace(/[:.]/g, '_')}`
  const tagging = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [gpu],
    rule: 'CUSTOM_NVIDIA_{type}',
    isManaged: true,
  })
  await act(tagging, 'start')
  await operator.toEnd(tagging.id, 'done')
  await world.readAgain()
  const old = await managed()
  expect(old).toEqual([`CUSTOM_NVIDIA_T4_4C of ${provider}`])

  const planned = await createChange(world.ctx(), planInput({ gpus: [gpu] }))
  expect(planned.steps.find(({ id }) => id.startsWith('keep-traits/'))?.title).toBe(
    `Manage CUSTOM_NVIDIA_T4_8C on ${BUSY} ${address}, CUSTOM_NVIDIA_T4_4C no longer`,
  )
  await act(planned, 'start')
  const done = await operator.toEnd(planned.id, 'done')
  expect(await managed()).toEqual([`CUSTOM_NVIDIA_T4_8C of ${provider}`])
  world.openstack().controls.recreateProvider({ provider })
  await keepNow()
  expect((await providerOf(BUSY, address))?.traits).toEqual(['CUSTOM_NVIDIA_T4_8C'])

  await act(done, 'roll-back')
  await operator.toEnd(planned.id, 'undone')
  expect(await managed()).toEqual(old)
  world.openstack().controls.recreateProvider({ provider })
  await keepNow()
  expect((await providerOf(BUSY, address))?.traits).toEqual(['CUSTOM_NVIDIA_T4_4C'])
})

test('a reader sees what a plan means and can not save it', async () => {
  const reader = world.ctx(READER)
  expect(previewOfKind('type', await previewChange(reader, planInput())).typeChange?.toTypeName).toBe('T4-8C')
  await expect(createChange(reader, planInput())).rejects.toMatchObject({ code: 'forbidden' })
})
