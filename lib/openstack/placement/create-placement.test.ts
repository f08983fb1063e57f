import { afterEach, describe, expect, it } from 'vitest'
import { createServiceAccount } from '../session/create-service-account'
import { serveCloud } from '../testing/served-cloud'
import type { Answerer } from '../transport/testing/serve'
import { createPlacement } from './create-placement'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const NOT_FOUND = { status: 404, body: { errors: [{ status: 404, title: 'Not Found', detail: 'none' }] } }

const open = async (answer: Answerer, placementMax = '1.39') => {
  const served = await serveCloud(answer, { placementMax })
  const account = createServiceAccount(served.config)
  cleanups.push(account.close, served.stop)
  return { served, placement: createPlacement({ account }) }
}

describe('createPlacement', () => {
  it.each(['1.33', '1.37', '1.39'])('asks a Placement of %s for just that', async (max) => {
    const { placement, served } = await open(
      ({ url }) => (url.includes('/resource_providers') ? { body: { resource_providers: [] } } : NOT_FOUND),
      max,
    )
    await placement.listProviders()
    expect(served.seen.at(-1)?.headers['openstack-api-version']).toBe(`placement ${max}`)
  })

  it('returns the same list as long as the answer has the same bytes, and another one after a change', async () => {
    let name = 'cmp-1'
    const provider = () => ({
      uuid: 'a',
      name,
      generation: 1,
      parent_provider_uuid: null,
      root_provider_uuid: 'a',
    })
    let isMalformed = false
    const { placement } = await open(({ url }) => {
      if (!url.includes('/resource_providers')) return NOT_FOUND
      return { body: { resource_providers: isMalformed ? 'none' : [provider()] } }
    })
    const first = await placement.listProviders()
    expect(await placement.listProviders()).toBe(first)
    isMalformed = true
    for (let turn = 0; turn < 2; turn++) await expect(placement.listProviders()).rejects.toThrow()
    isMalformed = false
    expect(await placement.listProviders()).toBe(first)
    name = 'cmp-2'
    expect(await placement.listProviders()).toMatchObject([{ name: 'cmp-2' }])
    name = 'cmp-1'
    expect(await placement.listProviders()).toEqual(first)
  })

  it('refuses a Placement below 1.33', async () => {
    const { placement } = await open(() => NOT_FOUND, '1.31')
    await expect(placement.listProviders()).rejects.toThrow('1.31 at most, but 1.33 is needed')
  })

  it('requests the version again after a 406', async () => {
    const { placement, served } = await open(({ url }) =>
      url.includes('/traits') ? { status: 406, body: { errors: [{ status: 406 }] } } : NOT_FOUND,
    )
    await expect(placement.listTraits()).rejects.toMatchObject({ status: 406 })
    await expect(placement.listTraits()).rejects.toMatchObject({ status: 406 })
    expect(served.seen.filter(({ url }) => url === '/placement/')).toHaveLength(2)
  })

  it('sums a project’s usage over consumer types, and reads the flat form of old releases', async () => {
    const usages = {
      INSTANCE: { VGPU: 2, VCPU: 1, consumer_count: 2 },
      unknown: { VGPU: 1, consumer_count: 1 },
    }
    const typed = await open(({ url }) => (url.includes('/usages') ? { body: { usages } } : NOT_FOUND))
    expect(await typed.placement.getProjectUsages('p')).toEqual({ VGPU: 3, VCPU: 1 })
    const flat = await open(({ url }) =>
      url.includes('/usages') ? { body: { usages: { VGPU: 4 } } } : NOT_FOUND,
    )
    expect(await flat.placement.getProjectUsages('p')).toEqual({ VGPU: 4 })
  })

  it('sends no consumer type to a Placement that does not know it', async () => {
    const write = {
      consumerUuid: 'c',
      allocations: { p: { VGPU: 1 } },
      projectId: 'p1',
      userId: 'u1',
      consumerGeneration: null,
    }
    const answer: Answerer = ({ method }) => (method === 'PUT' ? { status: 204 } : NOT_FOUND)
    const old = await open(answer, '1.37')
    await old.placement.putConsumer(write)
    expect(JSON.parse(old.served.seen.at(-1)?.body ?? '')).toEqual({
      allocations: { p: { resources: { VGPU: 1 } } },
      project_id: 'p1',
      user_id: 'u1',
      consumer_generation: null,
    })
    const recent = await open(answer)
    await recent.placement.putConsumer(write)
    expect(JSON.parse(recent.served.seen.at(-1)?.body ?? '')).toMatchObject({ consumer_type: 'INSTANCE' })
  })
})
