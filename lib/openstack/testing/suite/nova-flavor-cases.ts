import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createNova } from '../../nova/create-nova'
import type { NewFlavor, NovaClient } from '../../nova/types'
import { createServiceAccount } from '../../session/create-service-account'
import { type ClientTarget, configOf, errorOf, ownName, withAdmin } from './target'

const newFlavor = (rest: Partial<NewFlavor> = {}): NewFlavor => ({
  id: randomUUID(),
  name: ownName('flavor').toLowerCase(),
  description: null,
  vcpus: 1,
  memoryMib: 64,
  diskGib: 0,
  isPublic: true,
  ...rest,
})

/** Nova's client, the projects that there are, and a flavor that is taken away at the end. */
const withNova = (
  target: ClientTarget,
  work: (tools: {
    nova: NovaClient
    make: (rest?: Partial<NewFlavor>) => ReturnType<NovaClient['createFlavor']>
    projectIds: string[]
    after: (cleanup: () => Promise<unknown>) => void
  }) => Promise<void>,
): Promise<void> =>
  withAdmin(target, async ({ account, after }) => {
    const nova = createNova({ account })
    const { items: projects } = await account.withToken('project', ({ id }) =>
      account.keystone.listAllProjects({ tokenId: id }),
    )
    const make = async (rest?: Partial<NewFlavor>) => {
      const flavor = await nova.createFlavor(newFlavor(rest))
      after(() => nova.deleteFlavor(flavor.id))
      return flavor
    }
    await work({ nova, make, projectIds: projects.map(({ id }) => id), after })
  })

/** What a change of flavors does through Nova. */
export const novaFlavorCases = (target: () => ClientTarget): void => {
  it('makes a flavor under the wanted id, describes it and takes it away', () =>
    withNova(target(), async ({ nova, make }) => {
      const wanted = newFlavor({ description: 'for the suite', vcpus: 2, memoryMib: 128, diskGib: 1 })
      const made = await make(wanted)
      expect(made).toMatchObject({ ...wanted, extraSpecs: {}, ephemeralGib: 0, swapMib: 0 })
      expect(await nova.getFlavor(made.id)).toEqual(made)
      expect(await nova.describeFlavor(made.id, 'other words')).toMatchObject({
        description: 'other words',
        name: made.name,
      })
      expect(await nova.describeFlavor(made.id, null)).toMatchObject({ description: null })
      await nova.deleteFlavor(made.id)
      expect(await nova.getFlavor(made.id)).toBeNull()
      expect(await errorOf(nova.deleteFlavor(made.id))).toMatchObject({ service: 'nova', status: 404 })
      expect(await errorOf(nova.describeFlavor(made.id, 'x'))).toMatchObject({ status: 404 })
    }))

  it('lets Nova choose the id, and refuses a name and an id that are taken', () =>
    withNova(target(), async ({ nova, make }) => {
      const made = await make({ id: null })
      expect(made.id).toMatch(/^[0-9a-f-]{36}$/)
      expect(await errorOf(nova.createFlavor(newFlavor({ name: made.name })))).toMatchObject({
        status: 409,
        detail: `Flavor with name ${made.name} already exists.`,
      })
      expect(await errorOf(nova.createFlavor(newFlavor({ id: made.id })))).toMatchObject({ status: 409 })
      expect(await errorOf(nova.createFlavor(newFlavor({ vcpus: 0 })))).toMatchObject({ status: 400 })
      expect(await errorOf(nova.createFlavor(newFlavor({ id: 'a/b' })))).toMatchObject({ status: 400 })
    }))

  it('merges extra specs, takes single ones away, and refuses what Nova does not know', () =>
    withNova(target(), async ({ nova, make }) => {
      const { id } = await make()
      const specsOf = async () => (await nova.getFlavor(id))?.extraSpecs
      await nova.writeExtraSpecs(id, { 'resources:VGPU': '1', 'trait:CUSTOM_SUITE': 'required' })
      await nova.writeExtraSpecs(id, {
        'resources:VGPU': '2',
        'aggregate_instance_extra_specs:gpu': 'true',
      })
      expect(await specsOf()).toEqual({
        'resources:VGPU': '2',
        'trait:CUSTOM_SUITE': 'required',
        'aggregate_instance_extra_specs:gpu': 'true',
      })
      await nova.deleteExtraSpec(id, 'trait:CUSTOM_SUITE')
      expect(await errorOf(nova.deleteExtraSpec(id, 'trait:CUSTOM_SUITE'))).toMatchObject({ status: 404 })
      for (const specs of [
        { 'trait:CUSTOM_SUITE': 'perhaps' },
        { 'resources:VGPU': 'one' },
        { group_policy: 'any' },
        { 'hw:suite': '1' },
        { 'a/b': '1' },
      ])
        expect(await errorOf(nova.writeExtraSpecs(id, specs)), JSON.stringify(specs)).toMatchObject({
          status: 400,
        })
      const granular = {
        'resources1:VGPU': '1',
        'resources2:CUSTOM_SUITE': '1',
        'trait1:CUSTOM_SUITE': 'required',
        group_policy: 'isolate',
        'pci_passthrough:alias': 'suite:1',
        gpu: 'true',
      }
      await nova.writeExtraSpecs(id, granular)
      expect(await specsOf()).toMatchObject(granular)
      expect(await errorOf(nova.writeExtraSpecs(randomUUID(), granular))).toMatchObject({ status: 404 })
    }))

  it('shares a private flavor with single projects, and a public one with none', () =>
    withNova(target(), async ({ nova, make, projectIds }) => {
      const [project = ''] = projectIds
      const { id } = await make({ isPublic: false })
      expect(await nova.listFlavorAccess(id)).toEqual([])
      await nova.addFlavorAccess(id, project)
      expect(await nova.listFlavorAccess(id)).toEqual([project])
      expect(await errorOf(nova.addFlavorAccess(id, project))).toMatchObject({ status: 409 })
      expect(await errorOf(nova.addFlavorAccess(id, randomUUID().replaceAll('-', '')))).toMatchObject({
        status: 400,
      })
      await nova.removeFlavorAccess(id, project)
      expect(await errorOf(nova.removeFlavorAccess(id, project))).toMatchObject({ status: 404 })
      const open = await make()
      expect(await errorOf(nova.listFlavorAccess(open.id))).toMatchObject({ status: 404 })
      expect(await errorOf(nova.addFlavorAccess(open.id, project))).toMatchObject({ status: 409 })
    }))

  it('makes an aggregate, puts a host with properties into it, and takes all of it back', () =>
    withNova(target(), async ({ nova, after }) => {
      const name = ownName('aggregate')
      const [service] = await nova.listServices()
      const host = service?.host ?? ''
      const made = await nova.createAggregate(name)
      after(() => nova.deleteAggregate(made.id))
      after(() => nova.removeAggregateHost(made.id, host))
      expect(made).toMatchObject({ name, availabilityZone: null, hosts: [], metadata: {} })
      expect(await errorOf(nova.createAggregate(name))).toMatchObject({ status: 409 })
      expect(await nova.addAggregateHost(made.id, host)).toMatchObject({ hosts: [host] })
      expect(await errorOf(nova.addAggregateHost(made.id, host))).toMatchObject({ status: 409 })
      expect(await errorOf(nova.addAggregateHost(made.id, 'suite-nobody'))).toMatchObject({ status: 404 })
      await nova.writeAggregateMetadata(made.id, { gpu: 'true', suite: 'yes' })
      expect(await nova.writeAggregateMetadata(made.id, { suite: null })).toMatchObject({
        metadata: { gpu: 'true' },
      })
      const listed = (await nova.listAggregates()).find(({ id }) => id === made.id)
      expect(listed).toMatchObject({ name, hosts: [host], metadata: { gpu: 'true' } })
      expect(await errorOf(nova.deleteAggregate(made.id))).toMatchObject({ status: 400 })
      await nova.removeAggregateHost(made.id, host)
      expect(await errorOf(nova.removeAggregateHost(made.id, host))).toMatchObject({ status: 404 })
      await nova.deleteAggregate(made.id)
      expect(await errorOf(nova.deleteAggregate(made.id))).toMatchObject({ status: 404 })
    }))

  it('refuses all of it to a tenant with 403', async () => {
    const account = createServiceAccount(configOf(target(), target().credentials.tenant))
    const nova = createNova({ account })
    try {
      const [flavor] = await nova.listFlavors()
      const id = flavor?.id ?? ''
      for (const work of [
        () => nova.createFlavor(newFlavor()),
        () => nova.deleteFlavor(id),
        () => nova.describeFlavor(id, 'x'),
        () => nova.writeExtraSpecs(id, { gpu: 'true' }),
        () => nova.addFlavorAccess(id, 'p'),
        () => nova.createAggregate(ownName('aggregate')),
      ])
        expect(await errorOf(work())).toMatchObject({ service: 'nova', kind: 'http', status: 403 })
    } finally {
      await account.close()
    }
  })
}
