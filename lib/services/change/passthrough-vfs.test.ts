import { expect, test, vi } from 'vitest'
import { COMMAND_NAMES, type CommandName } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'
import { createOperator } from './testing/operator'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

/** What the host's agent allows; a test may change it as one changes agent.toml. */
const allowed: CommandName[] = []

const isSliced = ({ spec }: FleetHost): boolean =>
  spec.nova.deployment === 'package' &&
  spec.gpus.some(({ slicing, sriov }) => slicing?.interface === 'mdev' && sriov !== null)

/** A host with two of its cards, and nothing of the others: nova-compute would not start with their definitions. */
const withTwoCards = ({ gpus, mdevDefinitions, ...rest }: FleetHost['spec']): FleetHost['spec'] => {
  const two = gpus.slice(0, 2)
  const slots = new Set(two.flatMap(({ slicing }) => slicing?.state.slots ?? []))
  return {
    ...rest,
    guests: [],
    gpus: two,
    mdevDefinitions: mdevDefinitions.filter(({ parent }) => slots.has(parent)),
  }
}

/** One host whose vGPUs live on VFs, with its spare mdevs and without servers. */
const world = createChangeWorld({
  allow: allowed,
  fleetOf: (fleet) =>
    fleet
      .filter(isSliced)
      .slice(0, 1)
      .map((host) => ({ ...host, spec: withTwoCards(host.spec), story: { kind: 'still' } })),
})
const operator = createOperator(world)

const host = () => {
  const [first] = world.openstack().world.hosts
  if (first === undefined) throw new Error('the demo has no host with VFs')
  return first.living
}
const card = () => host().spec().gpus[0]

const planOf = (to: PlanPassthrough['to']) =>
  createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'passthrough',
    gpus: [{ host: host().name, address: card()?.address ?? '' }],
    to,
    alias: null,
    isFlavorLossAccepted: true,
  })

const act = ({ id, version }: Pick<ChangeDetail, 'id' | 'version'>, action: 'start' | 'roll-back') =>
  actOnChange(world.ctx(), { id, body: { action, version } })

const run = async (to: PlanPassthrough['to']): Promise<ChangeDetail> => {
  const planned = await planOf(to)
  await act(planned, 'start')
  return operator.toEnd(planned.id, 'done')
}

const doers = ({ steps }: ChangeDetail): string[] =>
  steps.filter(({ title }) => /^((Enable|Disable) the VFs|Bind) /.test(title)).map(({ doer }) => doer)

test.each([
  ['by hand', [] as CommandName[], 'operator'],
  ['by its agent', [...COMMAND_NAMES], 'agent'],
])(
  'a card with VFs goes out whole %s, and by a second change comes back to be sliced',
  async (_, may, doer) => {
    allowed.splice(0, allowed.length, ...may)
    await world.readAgain()
    const slots = card()?.slicing?.state.slots
    expect(slots?.length).toBeGreaterThan(1)

    const whole = await run('whole')
    expect(doers(whole)).toEqual([doer, doer])
    expect(card()).toMatchObject({ driver: 'vfio-pci', slicing: null, sriov: { enabledVfs: 0 } })

    const sliced = await run('sliced')
    expect(doers(sliced)).toEqual([doer, doer])
    expect(card()?.driver).toBe('nvidia')
    expect(card()?.slicing?.state.slots).toEqual(slots)

    await act(sliced, 'roll-back')
    await operator.toEnd(sliced.id, 'undone')
    expect(card()).toMatchObject({ driver: 'vfio-pci', sriov: { enabledVfs: 0 } })
    await act(await getChange(world.ctx(), { id: whole.id }), 'roll-back')
    await operator.toEnd(whole.id, 'undone')
    expect(card()?.slicing?.state.slots).toEqual(slots)
  },
)
