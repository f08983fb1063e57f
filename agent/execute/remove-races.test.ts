import { expect, test, vi } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { guest } from '@/simulator/fixtures/host-parts'
import { kollaHost } from '@/simulator/fixtures/kolla-host'
import { createLivingHost } from '@/simulator/host/living-host'
import type { GuestSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'
import { createRandom } from '@/simulator/random/random'
import { createCommandHost } from './command-host'
import { DEFAULT_COMMANDS } from './command-settings'
import { executeCommand } from './execute-command'

vi.setConfig({ testTimeout: 1_800_000 })

/** SLICEBOARD_RACES=10000 for a night's worth. */
const ROUNDS = Number(process.env.SLICEBOARD_RACES ?? 300)

const SLOT = '0000:af:00.0'
const ORPHAN = 'c0ffee00-0000-4000-8000-000000000001'

const [card] = kollaHost.gpus
if (card?.slicing == null) throw new Error('the fixture lost its GPU')
const vgpus = [
  ...card.slicing.state.vgpus,
  { uuid: ORPHAN, typeId: 'nvidia-105', slot: SLOT, iommuGroup: 900 },
]
const BASE: HostSpec = {
  ...kollaHost,
  gpus: [{ ...card, slicing: { ...card.slicing, state: { ...card.slicing.state, vgpus } } }],
}

const grabber = (state: GuestSpec['state']): GuestSpec =>
  guest({ name: 'instance-0000f00d', serverName: 'late', state, mdevs: [ORPHAN] })

/** One host for all rounds; each begins with the orphan and without the grabbing guest. */
const openRace = ({ guestXml }: { guestXml?: readonly string[] } = {}) => {
  const root = temporaryRoot()
  writeHostTree(root, BASE)
  const living = createLivingHost({ root, spec: BASE, now: () => new Date(0), newUuid: () => ORPHAN })
  const host = createCommandHost({
    root,
    settings: { ...DEFAULT_COMMANDS, allow: ['remove-mdev'] },
    guestXml,
    patienceMs: 0,
    pause: async () => {
      living.applyWrites()
    },
  })
  const isThere = (): boolean =>
    living.spec().gpus.some(({ slicing }) => slicing?.state.vgpus.some(({ uuid }) => uuid === ORPHAN))

  /** The guest takes the mdev right before the agent's n-th check of the host. */
  const round = async (at: number, state: GuestSpec['state']) => {
    living.become(BASE)
    let looks = 0
    const raced = {
      ...host,
      look: () => {
        if (looks++ === at && isThere())
          living.become({ ...living.spec(), guests: [...BASE.guests, grabber(state)] })
        return host.look()
      },
    }
    const command = { name: 'remove-mdev', uuid: ORPHAN, typeId: 'nvidia-105', parentAddress: SLOT } as const
    const { outcome } = await executeCommand(raced, command)
    living.applyWrites()
    const isHeld = living.spec().guests.some(({ mdevs }) => mdevs.includes(ORPHAN))
    return { outcome, isHeld, isThere: isThere() }
  }
  return { round }
}

test(`in ${ROUNDS} races with a guest that starts with the mdev, none that is held is removed`, async () => {
  const random = createRandom(4711)
  const { round } = openRace()
  const outcomes = new Map<string, number>()
  for (let count = 0; count < ROUNDS; count++) {
    const at = random.between(0, 11)
    const { outcome, isHeld, isThere } = await round(at, 'running')
    expect(isHeld && !isThere, `round ${count}, before look ${at}: ${outcome}`).toBe(false)
    // An mdev that is unattached at the end is deleted, and reported as deleted.
    expect(outcome === 'done').toBe(!isThere)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  // Early grabs are refused by the agent's look, late ones by the kernel, and those after the removal find nothing.
  expect([...outcomes.keys()].sort()).toEqual(['done', 'failed', 'refused'])
})

test('a shut-off guest that appears before the last check keeps its mdev, which the kernel would remove', async () => {
  const { round } = openRace()
  for (let at = 0; at <= 6; at++)
    expect(await round(at, 'shutoff')).toMatchObject({ outcome: 'refused', isThere: true })
})

test('control: an agent that looks for guests in the wrong folder removes what is held, and it is seen', async () => {
  const { round } = openRace({ guestXml: ['/etc'] })
  const { isHeld, isThere } = await round(0, 'shutoff')
  expect({ isHeld, isThere }).toEqual({ isHeld: true, isThere: false })
})
