import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlanFlavor } from '@/lib/schemas/api/change-inputs'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
import { offerFlavors } from '@/lib/services/flavor/offer-flavors'
import { createLabChanges } from './lab-changes'
import { mdevsOf } from './lab-cloud'
import { openOperator } from './operator'
import { dropSpareMdevs } from './spare-mdevs'

/** Two T4 in one host: T4-4Q on the first, T4-8Q, of which a card holds two, on the second. */
const HOST = 'gpu01'
const [FIRST, SECOND] = ['pci_0000_84_00_0', 'pci_0000_85_00_0']
const FLAVORS = ['lab.lands-4q', 'lab.lands-8q']
const SERVERS = ['lab-4q', 'lab-8q-1', 'lab-8q-2', 'lab-8q-3']

const changes = createLabChanges()
let operator: Awaited<ReturnType<typeof openOperator>>
beforeAll(async () => {
  operator = await openOperator()
  await dropSpareMdevs(HOST)
})
afterAll(async () => {
  for (const name of SERVERS) await operator.deleteServer(name)
  await dropSpareMdevs(HOST)
  for (const name of FLAVORS) await operator.deleteFlavor(name)
  await operator.close()
})

const input = (name: string, extraSpecs: Record<string, string>): PlanFlavor => ({
  cloud: changes.cloud().name,
  kind: 'flavor',
  isNoMatchAccepted: false,
  input: {
    do: 'create',
    flavor: {
      name,
      description: null,
      vcpus: 1,
      memoryMib: 1024,
      diskGib: 5,
      isPublic: true,
      extraSpecs,
      projectIds: [],
    },
    aggregate: null,
  },
})

/** What the builder would write for a type. */
const specsFor = async (name: string, suffix = ''): Promise<Record<string, string>> => {
  const { types } = await offerFlavors(changes.context(), { cloud: changes.cloud().name })
  const offer = types.find((type) => type.name === name)
  if (offer?.trait == null)
    throw new Error(`No trait identifies ${name}: ${offer?.because ?? 'no pGPU has it'}.`)
  return {
    [`resources${suffix}:${offer.resourceClass}`]: '1',
    [`trait${suffix}:${offer.trait}`]: 'required',
  }
}

const make = async (name: string, extraSpecs: Record<string, string>) => {
  await changes.readRound()
  const planned = await changes.plan(input(name, extraSpecs))
  await changes.run(planned.id, { action: 'start', state: 'done' })
  return planned
}

/** What Placement has a server on, by the names of the providers that give it vGPUs. */
const vgpusOf = async (uuid: string): Promise<string[]> => {
  const { allocations } = await operator.placement.getConsumer(uuid)
  const names = new Map((await operator.placement.listProviders()).map((one) => [one.uuid, one.name]))
  return allocations
    .filter(({ resources }) => (resources.VGPU ?? 0) > 0)
    .map(({ providerUuid }) => names.get(providerUuid) ?? providerUuid)
    .toSorted()
}

/** The cards that have a type; servers of other tests may hold some of it. */
const parentsOn = (typeId: string): string[] => [
  ...new Set(mdevsOf(HOST).flatMap(({ parent, type_id }) => (type_id === typeId ? [parent] : []))),
]

const boot = (name: string, flavor: string) => operator.bootServer({ name, flavor, host: HOST })

it('servers of two flavors come up each on its own card of one host, and a full card is not made up for by the other', async () => {
  await changes.readRound()
  const planned = await make('lab.lands-8q', await specsFor('T4-8Q'))
  expect(previewOfKind('flavor', planned).flavorChange.flavors[0]).toMatchObject({
    asks: expect.stringContaining('1 vGPU of T4-8Q: 8 GiB'),
    placementPreview: { fits: 2, fittingHosts: 1, placement: { state: 'answered' } },
  })
  await make('lab.lands-4q', await specsFor('T4-4Q'))

  const first = await boot('lab-8q-1', 'lab.lands-8q')
  expect(await vgpusOf(first.uuid)).toEqual([`${HOST}_${SECOND}`])
  expect(parentsOn('nvidia-233')).toEqual([SECOND])
  const other = await boot('lab-4q', 'lab.lands-4q')
  expect(await vgpusOf(other.uuid)).toEqual([`${HOST}_${FIRST}`])
  expect(parentsOn('nvidia-232')).toEqual([FIRST])

  await boot('lab-8q-2', 'lab.lands-8q')
  await expect(boot('lab-8q-3', 'lab.lands-8q')).rejects.toThrow(/No valid host/)
  expect(parentsOn('nvidia-233')).toEqual([SECOND])
  expect(parentsOn('nvidia-232')).toEqual([FIRST])
}, 900_000)

it('a flavor that could land nowhere is refused with the reason, and Nova gets none', async () => {
  await changes.readRound()
  const twice = {
    ...(await specsFor('T4-8Q', '1')),
    ...(await specsFor('T4-8Q', '2')),
    group_policy: 'isolate',
  }
  await expect(changes.plan(input('lab.lands-nowhere', twice))).rejects.toThrow(
    /no host could run a server of it/,
  )
  const unknown = { 'resources:VGPU': '1', 'trait:CUSTOM_NO_SUCH_CARD': 'required' }
  await expect(changes.plan(input('lab.lands-nowhere', unknown))).rejects.toThrow(/CUSTOM_NO_SUCH_CARD/)
  expect((await operator.nova.listFlavors()).map(({ name }) => name)).not.toContain('lab.lands-nowhere')
})
