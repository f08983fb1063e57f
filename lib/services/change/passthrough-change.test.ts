import { expect, test, vi } from 'vitest'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import { getHostPci } from '@/lib/services/host/get-host-pci'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { previewChange } from './preview-change'
import { createChangeWorld } from './testing/change-world'
import { createOperator } from './testing/operator'
import { previewOfKind } from './testing/preview-of-kind'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const [BUSY, OTHER] = ['cmp-r2-05', 'cmp-r2-06']

/** Two T4 hosts on which nothing happens automatically; their agents may do everything. */
const world = createChangeWorld({
  allow: COMMAND_NAMES,
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => [BUSY, OTHER].includes(spec.name))
      .map((host) => ({ ...host, story: { kind: 'still' } })),
})
const operator = createOperator(world)

/** The card of the host with the fewest servers, so that these have room on the other host. */
const card = () => {
  const { gpus, guests } = operator.hostNamed(BUSY).spec()
  const held = new Set(guests.flatMap(({ mdevs }) => mdevs))
  const countOn = (gpu: (typeof gpus)[number]) =>
    gpu.slicing?.state.vgpus.filter(({ uuid }) => held.has(uuid)).length ?? 0
  const [first] = gpus.filter((gpu) => countOn(gpu) > 0).toSorted((a, b) => countOn(a) - countOn(b))
  if (first === undefined) throw new Error('no card is in use')
  return first
}

const planInput = (): PlanPassthrough => ({
  cloud: world.cloud().name,
  kind: 'passthrough',
  gpus: [{ host: BUSY, address: card().address }],
  to: 'whole',
  alias: null,
  isFlavorLossAccepted: true,
})

const act = ({ id, version }: Pick<ChangeDetail, 'id' | 'version'>, action: 'start' | 'roll-back') =>
  actOnChange(world.ctx(), { id, body: { action, version } })

const specOf = (address: string) =>
  operator
    .hostNamed(BUSY)
    .spec()
    .gpus.find((gpu) => gpu.address === address)

const providersOf = async (address: string): Promise<number> => {
  const name = `_pci_${address.replaceAll(/[:.]/g, '_')}`
  const all = await world.placement().listProviders({})
  return all.filter((provider) => provider.name.startsWith(BUSY) && provider.name.endsWith(name)).length
}

test('the cards of a filter are planned like cards that are named', async () => {
  const gpus = (operator.hostNamed(BUSY).spec().gpus ?? []).map(({ address }) => ({ host: BUSY, address }))
  const plan = (chosen: PlanPassthrough['gpus']) =>
    previewChange(world.ctx(), { ...planInput(), to: 'sliced', gpus: chosen })
  const filtered = await plan({ filter: { q: BUSY } })
  const named = await plan(gpus)
  expect(filtered.preview.unchanged).toHaveLength(gpus.length)
  expect(filtered).toEqual(named)
  await expect(plan({ filter: { q: 'no-such-host' } })).rejects.toMatchObject({ code: 'validation' })
})

test('a card in use goes out whole by its agent, its servers moved, and is reverted', async () => {
  const { address } = card()
  const planned = await createChange(world.ctx(), planInput())
  expect(previewOfKind('passthrough', planned).typeChange?.servers.length).toBeGreaterThan(0)
  await act(planned, 'start')
  const done = await operator.toEnd(planned.id, 'done')
  expect(specOf(address)).toMatchObject({ driver: 'vfio-pci', slicing: null })
  expect(await providersOf(address)).toBe(0)
  const { pci } = await getHostPci(world.ctx(), { cloud: world.cloud().name, host: BUSY })
  expect(pci?.aliases).toMatchObject([{ name: 't4', takes: [address] }])

  await act(done, 'roll-back')
  await operator.toEnd(planned.id, 'undone')
  expect(specOf(address)?.driver).toBe('nvidia')
  expect(await providersOf(address)).toBe(1)
})
