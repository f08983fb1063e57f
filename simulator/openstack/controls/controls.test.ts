import { afterEach, describe, expect, it } from 'vitest'
import { usedOf } from '../placement/placement-state'
import { callApi } from '../testing/api-client'
import { openStackForTests } from '../testing/test-openstack'

const { get, nova, placement, keystone } = openStackForTests({ hostCount: 2 })

const servers = () => get().cloud.nova.servers
const consumers = () => get().cloud.placement.consumers
const guests = () => get().world.hosts.flatMap(({ living }) => living.spec().guests)

afterEach(() => {
  get().controls.heal()
})

describe('disagreements', () => {
  it('between server, allocation and guest can be made one by one', () => {
    const { controls } = get()
    const [victim] = guests().filter(({ mdevs }) => mdevs.length > 0)
    const name = victim?.nova?.serverName ?? ''
    controls.dropAllocation({ server: name })
    expect(servers().has(victim?.uuid ?? '')).toBe(true)
    expect(consumers().has(victim?.uuid ?? '')).toBe(false)
    controls.heal()
    controls.loseServer({ server: name })
    expect(servers().has(victim?.uuid ?? '')).toBe(false)
    expect(guests().some(({ uuid }) => uuid === victim?.uuid)).toBe(true)
    controls.heal()
    const before = new Set(consumers().keys())
    controls.leaveAllocation()
    const [left] = [...consumers().keys()].filter((uuid) => !before.has(uuid))
    expect(left).toBeDefined()
    expect(servers().has(left ?? '')).toBe(false)
  })

  it('between where a server runs and where it holds something', () => {
    const { controls, cloud } = get()
    const message = controls.misplaceAllocation({ host: 'cmp-r2-07' })
    const server = [...servers().values()].find(({ name }) => message.startsWith(`server ${name} `))
    const held = [
      ...(consumers()
        .get(server?.uuid ?? '')
        ?.allocations.keys() ?? []),
    ]
    const roots = new Set(held.map((uuid) => cloud.placement.providers.get(uuid)?.rootUuid))
    expect(roots.size).toBe(1)
    const [root] = roots
    expect(cloud.nova.computes.find(({ uuid }) => uuid === root)?.host).not.toBe(server?.host)
  })

  it('between a provider and its card, its traits and its uuid', async () => {
    const { controls, cloud } = get()
    controls.addStaleProvider({ host: 'cmp-r2-07' })
    expect((await placement('/resource_providers?name=cmp-r2-07_pci_0000_fe_00_0')).text).toContain('"uuid"')
    controls.loseTraits({ provider: 'cmp-r2-07_pci_0000_18_00_0' })
    controls.refresh()
    const uuid = cloud.placement.names.get('cmp-r2-07_pci_0000_18_00_0')
    expect((await placement(`/resource_providers/${uuid}/traits`)).body).toMatchObject({ traits: [] })
  })
})

describe('services', () => {
  it('can be down, slow, broken, busy or talk nonsense, each for itself', async () => {
    const { controls } = get()
    controls.breakApi({ service: 'nova', kind: 'down' })
    await expect(nova('/servers')).rejects.toThrow('fetch failed')
    expect((await placement('/traits')).status).toBe(200)
    controls.breakApi({ service: 'nova', kind: '500' })
    expect((await nova('/servers')).status).toBe(500)
    controls.breakApi({ service: 'nova', kind: '429', value: '7' })
    const busy = await nova('/servers')
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7'])
    controls.breakApi({ service: 'nova', kind: 'nonsense' })
    expect((await nova('/servers')).text).toContain('It works')
    controls.breakApi({ service: 'nova', kind: 'slow', value: '40' })
    const startedMs = performance.now()
    expect((await nova('/servers')).status).toBe(200)
    expect(performance.now() - startedMs).toBeGreaterThan(35)
    controls.repairApi()
    expect((await nova('/servers')).status).toBe(200)
  })
})

describe('limits and flavors', () => {
  it('lose their registered limit, their region, or stand twice', async () => {
    const rows = async () => {
      const reply = await keystone('/registered_limits?resource_name=class:VGPU')
      return (reply.body as { registered_limits: { region_id: string | null }[] }).registered_limits
    }
    get().controls.addNullRegion()
    expect((await rows()).map((row) => row.region_id)).toEqual(['RegionOne', null])
    get().controls.heal()
    get().controls.loseRegion()
    expect((await rows()).map((row) => row.region_id)).toEqual([null])
    get().controls.heal()
    get().controls.dropLimit()
    expect(await rows()).toEqual([])
  })

  it.each([
    ['no-integer', 'vgpu:1'],
    ['suffix', 'resources1:VGPU'],
    ['no-policy', 'resources2:VGPU'],
    ['unknown-trait', 'CUSTOM_NVIDIA_Z9_8Q'],
  ])('has a flavor with %s', async (kind, text) => {
    get().controls.addFlavor({ kind })
    expect((await nova('/flavors/detail')).text).toContain(text)
  })

  it('finds one candidate for every pGPU with room of a flavor’s type', async () => {
    const { placement: state, nova: compute } = get().cloud
    let found = 0
    for (const { name, extraSpecs } of compute.flavors) {
      const trait = Object.keys(extraSpecs)
        .find((key) => key.startsWith('trait:'))
        ?.slice('trait:'.length)
      if (trait === undefined) continue
      const reply = await placement(`/allocation_candidates?resources=VCPU:1,VGPU:1&required=${trait}`)
      const { allocation_requests: requests } = reply.body as { allocation_requests: unknown[] }
      const withCapacity = [...state.providers.values()].filter(({ uuid, traits, inventories }) => {
        const used = usedOf(state, uuid).get('VGPU') ?? 0
        return traits.has(trait) && used < (inventories.get('VGPU')?.total ?? 0)
      })
      expect(requests, name).toHaveLength(withCapacity.length)
      found += requests.length
    }
    expect(found).toBeGreaterThan(0)
  })
})

describe('by hand', () => {
  const post = (path: string) => callApi(`${get().origin}/controls/${path}`, { method: 'POST' })

  it('does what is requested, and returns what it did or why not', async () => {
    const host = 'cmp-r2-07'
    expect((await post(`disableService?host=${host}&value=dust`)).body).toEqual({
      message: `nova-compute on ${host} is disabled: dust`,
    })
    expect(get().cloud.nova.computes.find((compute) => compute.host === host)?.isDisabled).toBe(true)
    const wrong = await post('disableService?host=unknown-host')
    expect([wrong.status, wrong.body]).toEqual([
      409,
      { message: 'There is no nova-compute on unknown-host.' },
    ])
    expect((await post('disableService?colour=red')).status).toBe(400)
    expect((await post('toString')).status).toBe(404)
    expect((await callApi(`${get().origin}/controls`)).body).toMatchObject({
      controls: expect.arrayContaining(['breakApi', 'heal']),
    })
  })
})

it('forgets its tokens', async () => {
  expect((await keystone('/auth/projects')).status).toBe(200)
  get().controls.expireTokens()
  expect((await keystone('/auth/projects')).status).toBe(401)
})
