import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typeFitSchema } from '@/lib/schemas/api/flavor'
import { flavorOffersSchema } from '@/lib/schemas/api/flavor-offer'
import { listTestChoices } from '@/lib/services/change/list-test-choices'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { explainType } from '@/lib/services/vgpu-type/explain-type'
import { explainFlavor } from './explain-flavor'
import { listFlavors } from './list-flavors'
import { offerFlavors } from './offer-flavors'
import { createFlavorWorld, START_AT } from './testing/flavor-world'

const { openstack, opened, openCloud, setClock, read, ctx, idOf, list, explain } = createFlavorWorld()

describe('as it is', () => {
  let close: () => Promise<void>
  beforeAll(async () => {
    close = await openCloud()
    await read()
    await opened().reading.readRound()
  })
  afterAll(() => close())

  test('fits: with each pGPU, the exact query, and the current answer of Placement', async () => {
    const answer = await explain('vgpu.t4-4q')
    expect(answer).toMatchObject({
      asks: '1 vGPU of T4-4Q: 4 GiB, up to 4 displays; 4 vCPUs, 16 GiB',
      types: [{ typeId: 'nvidia-232', name: 'T4-4Q' }],
      fit: {
        query:
          'GET /allocation_candidates?resources=DISK_GB:40,MEMORY_MB:16384,VCPU:4,VGPU:1&required=CUSTOM_GRID_T4_4Q&limit=10000',
        placement: { state: 'answered', candidates: 3, isCut: false },
        gap: null,
        fits: 6,
        byPlacement: 6,
        fittingHosts: 1,
        unknownHosts: 0,
      },
    })
    expect(answer.fit.hosts[0]).toMatchObject({
      host: 'cmp-r2-08',
      state: 'fits',
      isOffered: true,
      reasons: [],
    })
    expect(answer.fit.hosts[0]?.pgpus.map(({ fits }) => fits.value)).toEqual([1, 1, 4, 0])
    expect(answer.fit.hosts.slice(1).map(({ isOffered }) => isOffered)).not.toContain(true)
  })

  test('fits one by one but not so many at once (bug 1874664)', async () => {
    const answers = await Promise.all([4, 5, 6, 7].map((count) => explain('vgpu.t4-4q', { count })))
    expect(answers.map(({ fit }) => fit.answer?.answer)).toEqual(['yes', 'one-by-one', 'one-by-one', 'no'])
  })

  test('is full', async () => {
    const { fit } = await explain('vgpu.t4-16c')
    expect([fit.fits, fit.placement.candidates]).toEqual([0, 0])
    expect(fit.hosts[0]).toMatchObject({ host: 'cmp-r2-07', state: 'blocked', reasons: [{ kind: 'full' }] })
  })

  test('requests a trait that no pGPU has, and the finding states the same', async () => {
    const { fit, findings } = await explain('vgpu.t4-8q')
    expect(fit.fits).toBe(0)
    expect(fit.hosts.find(({ host }) => host === 'cmp-r2-08')?.reasons[0]).toEqual({
      kind: 'trait',
      because: 'it has no trait CUSTOM_GRID_T4_8Q',
    })
    expect(findings.map(({ code }) => code)).toContain('flavor-trait-unknown')
  })

  test('is offered more by Placement than the hardware has', async () => {
    const { fit } = await explain('vgpu.a40-4q')
    expect(fit.hosts[0]).toMatchObject({ host: 'cmp-r4-01', discrepancy: 'over-promise', state: 'fits' })
    expect(fit.byPlacement).toBeGreaterThan(fit.fits)
  })

  test('lists its hosts page by page, by group and text, with the counts of all', async () => {
    const { fit: whole } = await explain('vgpu.t4-4q')
    expect([whole.hostCount, whole.total, whole.next]).toEqual([whole.hosts.length, whole.hostCount, null])
    expect(whole.groups[0]).toEqual({ group: 'fits', count: 1 })
    expect(whole.groups.reduce((sum, { count }) => sum + count, 0)).toBe(whole.hostCount)
    const first = (await explain('vgpu.t4-4q', { limit: 2 })).fit
    const rest = (await explain('vgpu.t4-4q', { limit: 100, cursor: first.next })).fit
    expect([...first.hosts, ...rest.hosts].map(({ host }) => host)).toEqual(
      whole.hosts.map(({ host }) => host),
    )
    expect(first).toMatchObject({ fits: whole.fits, groups: whole.groups, offeredHosts: 1 })
    const fitting = (await explain('vgpu.t4-4q', { group: 'fits' })).fit
    expect([fitting.total, fitting.hostCount]).toEqual([1, whole.hostCount])
    const found = (await explain('vgpu.t4-4q', { q: 'cmp-r2-08 tesla' })).fit
    expect(found.hosts.map(({ host }) => host)).toEqual(['cmp-r2-08'])
  })

  test('can be checked in one availability zone, and in none that does not exist', async () => {
    expect((await explain('vgpu.t4-4q', { zone: 'nova' })).fit.fits).toBe(6)
    await expect(explain('vgpu.t4-4q', { zone: 'attic' })).rejects.toMatchObject({
      code: 'validation',
      field: 'zone',
    })
  })

  test('concurrent checks of one flavor share one query of Placement, with the service account', async () => {
    await explain('vgpu.t4-4q')
    const before = opened().account.transport.costs().placement.requests
    await Promise.all([explain('vgpu.t4-4q'), explain('vgpu.t4-4q', { count: 3 })])
    expect(opened().account.transport.costs().placement.requests).toBe(before)
  })

  test('Placement is not queried without a service account, nor for an alias that only the API can read', async () => {
    const alone = { ...ctx(READER), accounts: [] }
    const { fit } = await explainFlavor(alone, { cloud: opened().cloud.name, flavor: idOf('vgpu.t4-4q') })
    expect([fit.placement.state, fit.fits]).toEqual(['not-asked', 6])
    const passed = await explain('vgpu.l40s-8q')
    expect([passed.fit.placement.state, passed.fit.unknownHosts]).toEqual(['not-asked', 6])
    expect(passed.fit.placement.because).toContain('alias l40s-8q')
  })

  test('the list has the flavors that request a GPU, and counts the others', async () => {
    const { flavors, withoutGpu, gap, isRead } = await list()
    expect([withoutGpu, gap, isRead]).toEqual([2, null, true])
    const byName = new Map(flavors?.map((flavor) => [flavor.name, flavor]))
    expect(byName.get('vgpu.t4-4q')).toMatchObject({ fits: 6, atOnce: 4, fittingHosts: 1, nearest: null })
    expect(byName.get('vgpu.t4-16c')).toMatchObject({
      fits: 0,
      possibleHosts: 1,
      nearest: { host: 'cmp-r2-07', kind: 'full' },
    })
    expect(byName.get('vgpu.l40s-8q')).toMatchObject({
      fits: 0,
      unknownHosts: 6,
      nearest: { kind: 'unknown' },
    })
    expect(byName.get('vgpu.t4-8q')?.possibleHosts).toBe(0)
  })

  test('the list comes page by page, searched and sorted over all flavors', async () => {
    const whole = await list()
    const first = await list({ limit: 3 })
    const second = await list({ limit: 1000, cursor: first.next })
    expect(first.flavors).toHaveLength(3)
    expect([...(first.flavors ?? []), ...(second.flavors ?? [])]).toEqual(whole.flavors)
    expect([first.total, first.counts.all, second.next]).toEqual([whole.total, whole.total, null])
    const full = await list({ state: 'full', limit: 1 })
    expect(full.total).toBe(whole.counts.full)
    expect(full.flavors?.[0]).toMatchObject({ fits: 0, nearest: { kind: expect.any(String) } })
    const found = await list({ q: 'T4 16c' })
    expect(found.flavors?.map(({ name }) => name)).toEqual(['vgpu.t4-16c'])
    expect([found.total, found.counts]).toEqual([1, whole.counts])
    const byFit = (await list({ sort: 'fits' })).flavors?.filter(({ unknownHosts }) => unknownHosts === 0)
    expect(byFit?.map(({ fits }) => fits)).toEqual(byFit?.map(({ fits }) => fits).toSorted((a, b) => b - a))
  })

  test('nothing is counted for a request that has ended', async () => {
    const ended = { ...ctx(READER), signal: AbortSignal.abort() }
    await expect(listFlavors(ended, { cloud: opened().cloud.name })).rejects.toThrow('abort')
  })

  test('the list reports who may use a flavor and how many servers run on it, the page which', async () => {
    const { flavors } = await list()
    const used = flavors?.find(({ servers }) => (servers ?? 0) > 0)
    const { servers } = await explain(used?.name ?? '')
    expect(servers).toHaveLength(used?.servers ?? 0)
    expect(servers?.every(({ isCopyCurrent }) => isCopyCurrent)).toBe(true)
    const project = openstack().cloud.keystone.projects.find(({ name }) => name === 'cfd-lab')
    const closed = openstack().cloud.nova.flavors.find(({ name }) => name === 'vgpu.t4-8q')
    if (closed === undefined || project === undefined) throw new Error('the world has neither')
    closed.isPublic = false
    closed.projectIds = [project.id]
    closed.extraSpecs = { ...closed.extraSpecs, gpu: 'true' }
    setClock(new Date(START_AT.getTime() + 60_000))
    await read()
    expect((await explain('vgpu.t4-8q')).projects).toEqual([{ id: project.id, name: 'cfd-lab' }])
    closed.isPublic = true
    closed.projectIds = []
  })

  test('a flavor is built from the types of the pGPUs, by the trait of each type', async () => {
    const scope = { cloud: opened().cloud.name }
    const offers = flavorOffersSchema.parse(await offerFlavors(ctx(READER), scope))
    expect(offers.types.find(({ name }) => name === 'T4-4Q')).toMatchObject({
      resourceClass: 'VGPU',
      trait: 'CUSTOM_GRID_T4_4Q',
      framebufferMib: 4096,
      because: null,
    })
    expect(offers.aliases.map(({ name }) => name)).toContain('l40s-8q')
    expect(offers.hosts).toContain('cmp-r2-08')
    expect(offers.projects?.map(({ name }) => name)).toContain('cfd-lab')
    expect(offers.aggregates?.map(({ name }) => name)).toContain('gpu-desktop')
    expect(offers.flavors?.map(({ name }) => name)).not.toContain('m1.small')
    await expect(offerFlavors(ctx(TENANT), scope)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('a flavor of bare metal nodes is no GPU flavor: not in the list, the offers or the test boots', async () => {
    const { flavors } = openstack().cloud.nova
    const [first] = flavors
    if (first === undefined) throw new Error('the world has flavors')
    const extraSpecs = {
      'resources:CUSTOM_BAREMETAL_LARGE': '1',
      'resources:VCPU': '0',
      'resources:MEMORY_MB': '0',
      'resources:DISK_GB': '0',
    }
    const before = await list()
    flavors.push({ ...first, id: 'bm', name: 'bm.large', extraSpecs })
    setClock(new Date(START_AT.getTime() + 120_000))
    await read()
    const scope = { cloud: opened().cloud.name }
    const after = await list()
    const offers = await offerFlavors(ctx(READER), scope)
    const choices = await listTestChoices(ctx(READER), scope)
    flavors.pop()
    expect(after.withoutGpu).toBe(before.withoutGpu + 1)
    for (const names of [after.flavors, offers.flavors, choices.flavors].map((some) =>
      some?.map(({ name }) => name),
    )) {
      expect(names).toContain('vgpu.t4-4q')
      expect(names).not.toContain('bm.large')
    }
  })

  test('a vGPU type: how many more fit, for any flavor', async () => {
    const input = { cloud: opened().cloud.name, type: 'nvidia-232' }
    const answer = typeFitSchema.parse(await explainType(ctx(READER), input))
    expect(answer).toMatchObject({ name: 'T4-4Q', fit: { fits: 6, placement: { candidates: 3 } } })
    expect(answer.flavors.map(({ name }) => name)).toEqual(['vgpu.t4-4q'])
    expect(answer.fit.hosts.find(({ host }) => host === 'cmp-r2-07')?.reasons[0]?.because).toBe(
      'it carries another type',
    )
    await expect(explainType(ctx(READER), { ...input, type: 'nvidia-0' })).rejects.toMatchObject({
      code: 'not_found',
      field: 'type',
    })
  })

  test('a missing flavor, and callers without permission', async () => {
    await expect(explain('no-such')).rejects.toMatchObject({ code: 'not_found', field: 'flavor' })
    const tenant = ctx(TENANT)
    const before = opened().account.transport.costs().placement.requests
    const scope = { cloud: opened().cloud.name }
    await expect(listFlavors(tenant, scope)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(explainFlavor(tenant, { ...scope, flavor: idOf('vgpu.t4-4q') })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(explainType(tenant, { ...scope, type: 'nvidia-232' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(opened().account.transport.costs().placement.requests).toBe(before)
  })
})
