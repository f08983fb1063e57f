import { expect, test, vi } from 'vitest'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { previewChange } from './preview-change'
import { createChangeWorld } from './testing/change-world'
import { createOperator } from './testing/operator'
import { previewOfKind } from './testing/preview-of-kind'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const [BUSY, OTHER] = ['cmp-r6-01', 'cmp-r6-05']

/** Two L40S hosts of one type, sliced by vendor VFIO; nothing happens automatically, and no agent may act. */
const world = createChangeWorld({
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => [BUSY, OTHER].includes(spec.name))
      .map((host) => ({ ...host, story: { kind: 'still' } })),
})
const operator = createOperator(world)

/** The first card of the host on which servers are. */
const busyCard = () => {
  const spec = operator.hostNamed(BUSY).spec()
  const held = new Set(spec.guests.flatMap(({ pciDevices }) => pciDevices))
  const card = spec.gpus.find(({ slicing }) => slicing?.state.slots.some((slot) => held.has(slot)))
  if (card === undefined) throw new Error('no card is in use')
  return card
}

const typesOn = (address: string): Record<string, string> =>
  Object.fromEntries(
    (
      operator
        .hostNamed(BUSY)
        .spec()
        .gpus.find((gpu) => gpu.address === address)?.slicing?.state.vgpus ?? []
    )
      .map(({ slot, typeId }): [string, string] => [slot, typeId])
      .toSorted(),
  )

const totalsOf = async (address: string): Promise<Record<string, number>> => {
  const [provider] = await world.placement().listProviders({ name: `${BUSY}_${address}` })
  if (provider === undefined) return {}
  const { inventories } = await world.placement().getInventories(provider.uuid)
  return Object.fromEntries(Object.entries(inventories).map(([name, { total }]) => [name, total]))
}

const planInput = (over: Partial<PlanTypeChange> = {}): PlanTypeChange => ({
  cloud: world.cloud().name,
  kind: 'type',
  gpus: [{ host: BUSY, address: busyCard().address }],
  typeId: 'nvidia-1154',
  resourceClass: null,
  isFlavorLossAccepted: true,
  ...over,
})

const act = ({ id, version }: Pick<ChangeDetail, 'id' | 'version'>, action: 'start' | 'roll-back') =>
  actOnChange(world.ctx(), { id, body: { action, version } })

test('the preview lists blocking servers, VFs, device_spec, alias and what a reboot loses', async () => {
  const { preview, steps } = await previewChange(world.ctx(), planInput())
  const { address } = busyCard()
  const typed = Object.keys(typesOn(address)).length
  const change = previewOfKind('type', { preview }).typeChange
  expect(change?.servers.length).toBeGreaterThan(0)
  expect(change?.servers.every(({ way, to }) => way !== 'owner' && to.includes(OTHER))).toBe(true)
  expect(change?.hosts[0]?.pgpus).toMatchObject([{ address, fromTypeName: 'L40S-8Q', capacityAfter: 3 }])
  expect(change?.hosts[0]?.configAfter).toContain('"resource_class": "CUSTOM_L40S_16Q"')
  expect(change?.hosts[0]?.configAfter).toContain('"name": "l40s-16q"')
  expect(steps.filter(({ id }) => id.startsWith('set-vfio-type/'))).toHaveLength(typed + 3)
  const [config] = change?.configs ?? []
  expect(config?.texts.map(({ title }) => title)).toEqual([
    `[pci] of ${BUSY}`,
    "The alias on the hosts of Nova's API",
    `Types of ${BUSY} after a reboot`,
  ])
  expect(config?.texts[2]?.text).toContain(
    '|| echo 1154 > /sys/bus/pci/devices/0000:21:00.4/nvidia/current_vgpu_type',
  )
})

test('a card in use goes from L40S-8Q to L40S-16Q and back, by hand on the host, its servers moved', async () => {
  const { address } = busyCard()
  const before = { types: typesOn(address), totals: await totalsOf(address) }
  expect(before.totals).toEqual({ CUSTOM_L40S_8Q: 6 })
  const planned = await createChange(world.ctx(), planInput())
  await act(planned, 'start')
  const done = await operator.toEnd(planned.id, 'done')
  expect(Object.values(typesOn(address))).toEqual(['nvidia-1154', 'nvidia-1154', 'nvidia-1154'])
  expect(await totalsOf(address)).toEqual({ CUSTOM_L40S_16Q: 3 })
  expect(done.steps.find(({ id }) => id.startsWith('verify-pgpu'))?.answer).toMatch(/CUSTOM_L40S_16Q/)

  await act(done, 'roll-back')
  await operator.toEnd(planned.id, 'undone')
  expect({ types: typesOn(address), totals: await totalsOf(address) }).toEqual(before)
})

test('what the card can not become is refused before anything is touched', async () => {
  await expect(createChange(world.ctx(), planInput({ typeId: 'nvidia-999999' }))).rejects.toThrow(
    /does not offer nvidia-999999/,
  )
})
