import { beforeEach, describe, expect, test } from 'vitest'
import type { FlavorFit } from '@/lib/schemas/api/flavor'
import { putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { capacityOf, type Provider, usedOf } from '@/simulator/openstack/placement/placement-state'
import { createFlavorWorld, START_AT } from './testing/flavor-world'

const { openstack, opened, openCloud, setClock, report, read, list, explain } = createFlavorWorld()

const hostOf = (answer: FlavorFit, name: string) => answer.fit.hosts.find(({ host }) => host === name)
const rootUuid = (host: string): string =>
  openstack().cloud.nova.computes.find((compute) => compute.host === host)?.uuid ?? ''

/** Another consumer allocates all that is left of a class on some providers. */
const takeAll = (isMeant: (provider: Provider) => boolean, name: string) => {
  const { placement } = openstack().cloud
  const left = [...placement.providers.values()].filter(isMeant).flatMap((provider) => {
    const inventory = provider.inventories.get(name)
    const free =
      inventory === undefined ? 0 : capacityOf(inventory) - (usedOf(placement, provider.uuid).get(name) ?? 0)
    return free > 0 ? [[provider.uuid, new Map([[name, free]])] as const] : []
  })
  putConsumer(placement, {
    uuid: openstack().cloud.newUuid(),
    generation: 1,
    projectId: 'p',
    userId: 'u',
    type: 'INSTANCE',
    allocations: new Map(left),
  })
}

describe('in trouble', () => {
  beforeEach(openCloud)

  test('is refused by Placement: nothing lands, in its own words', async () => {
    openstack().controls.addFlavor({ kind: 'no-policy' })
    await read()
    const { fit } = await explain('spoilt.no-policy')
    expect(fit.placement.state).toBe('refused')
    expect(fit.placement.because).toContain('group_policy')
    expect([fit.fits, ...new Set(fit.hosts.map(({ reasons }) => reasons[0]?.kind))]).toEqual([0, 'refused'])
  })

  test.each([
    ['MEMORY_MB', 'memory'],
    ['VCPU', 'cpu'],
    ['DISK_GB', 'disk'],
  ])('finds no %s left next to free vGPUs', async (name, kind) => {
    takeAll(({ uuid }) => uuid === rootUuid('cmp-r2-08'), name)
    await read()
    const host = hostOf(await explain('vgpu.t4-4q'), 'cmp-r2-08')
    expect(host).toMatchObject({ state: 'blocked', isOffered: false, discrepancy: null })
    expect(host?.reasons.map((reason) => reason.kind)).toEqual([kind])
    expect(host?.pgpus.map(({ fits }) => fits.value)).toEqual([1, 1, 4, 0])
  })

  test('does not land where nova-compute is disabled, although Placement offers it', async () => {
    openstack().controls.disableService({ host: 'cmp-r2-08', value: 'new rails' })
    await read()
    expect(hostOf(await explain('vgpu.t4-4q'), 'cmp-r2-08')).toMatchObject({
      state: 'blocked',
      discrepancy: null,
      reasons: [{ kind: 'service', because: 'nova-compute is disabled: new rails' }],
    })
  })

  test('is not known where a host is silent', async () => {
    await read()
    setClock(new Date(START_AT.getTime() + 300_000))
    await report((host) => host !== 'cmp-r2-08')
    await opened().reading.readRound()
    const { fit } = await explain('vgpu.t4-4q', { count: 1 })
    expect(fit.hosts[0]).toMatchObject({ host: 'cmp-r2-08', state: 'unknown', fits: { value: null } })
    expect(fit.hosts[0]?.reasons[0]?.because).toContain('silent since')
    expect([fit.unknownHosts, fit.answer?.answer]).toEqual([1, 'cannot-tell'])
  })

  test('the list states before the first round that nothing has been read', async () => {
    expect(await list()).toMatchObject({ isRead: false, flavors: null })
    await expect(explain('vgpu.t4-4q')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('Placement', () => {
  beforeEach(openCloud)

  const isOfHost = ({ rootUuid: root }: Provider) => root === rootUuid('cmp-r2-08')
  const emptiest = ({ name }: Provider) => name.startsWith('cmp-r2-08') && name.includes('a1_00')

  test('is checked with Placement now: allocations since the reading count', async () => {
    await read()
    takeAll(emptiest, 'VGPU')
    expect((await explain('vgpu.t4-4q')).fit).toMatchObject({ fits: 2, byPlacement: 2 })
  })

  test('leaves out a host that was read as free: the reason is unknown, until it has been read again', async () => {
    await read()
    takeAll(isOfHost, 'VGPU')
    const before = await explain('vgpu.t4-4q')
    expect(hostOf(before, 'cmp-r2-08')).toMatchObject({
      state: 'blocked',
      discrepancy: 'unexplained',
      reasons: [{ kind: 'unexplained' }],
    })
    await opened().reading.readRound()
    expect(hostOf(await explain('vgpu.t4-4q'), 'cmp-r2-08')).toMatchObject({
      state: 'blocked',
      discrepancy: null,
      reasons: [{ kind: 'full' }],
    })
  })

  test('does not answer: the last reading has its time, and is not used once a round has failed', async () => {
    await read()
    openstack().controls.breakApi({ service: 'placement', kind: '503' })
    const { fit } = await explain('vgpu.t4-4q', { count: 2 })
    expect(fit).toMatchObject({ fits: 6, readAt: START_AT.toISOString(), gap: null })
    expect([fit.placement.state, fit.answer?.answer]).toEqual(['away', 'yes'])
    expect(fit.placement.because).toContain('503')
    setClock(new Date(START_AT.getTime() + 60_000))
    await report()
    await opened().reading.readRound()
    const later = await explain('vgpu.t4-4q', { count: 2 })
    expect(later.fit).toMatchObject({ fits: 6, readAt: START_AT.toISOString() })
    expect(later.fit.gap).toContain("Placement's resource providers were read at")
    expect(later.fit.answer?.answer).toBe('cannot-tell')
    expect((await list()).gap).toBe(later.fit.gap)
  })
})
