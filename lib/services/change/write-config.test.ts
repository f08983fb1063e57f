import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import { DROP_IN_FILE } from '@/lib/schemas/agent/drop-in'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'
import { emptied } from './testing/step-hosts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const HOST = 'cmp-r2-06'
const FOLDER = 'etc/nova/nova.conf.d'

/** Without guests and mdevs nothing is in the way of nova.conf. */
const world = createChangeWorld({
  allow: COMMAND_NAMES,
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => spec.name === HOST)
      .map((host) => ({ ...emptied(host), story: { kind: 'still' } })),
})

const configStep = async (id: number) => {
  const { state, steps } = await getChange(world.ctx(), { id })
  return { state, step: steps.find((step) => step.id === `write-config/${HOST}`) }
}

test('a file after the drop-in that was added since the plan prevents the agent from writing a drop-in without effect', async () => {
  const living = world.living(HOST)
  const address = living.spec().gpus[0]?.address ?? ''
  const planned = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'type',
    gpus: [{ host: HOST, address }],
    typeId: 'nvidia-320',
    resourceClass: null,
    isFlavorLossAccepted: true,
  })
  const { id, version } = planned
  expect((await configStep(id)).step?.doer).toBe('agent')
  const later = path.join(living.root, FOLDER, 'zz-local.conf')
  mkdirSync(path.dirname(later), { recursive: true })
  writeFileSync(later, '[devices]\nenabled_mdev_types = nvidia-319\n')
  living.applyWrites()
  await world.report(HOST)

  await actOnChange(world.ctx(), { id, body: { action: 'start', version, isByHand: false } })
  expect(await world.run(id)).toBe('resting')
  expect((await configStep(id)).step).toMatchObject({
    state: 'waiting',
    note: expect.stringMatching(/reads \S+zz-local\.conf after .* would have no effect/),
  })
  expect(existsSync(path.join(living.root, FOLDER, DROP_IN_FILE))).toBe(false)

  rmSync(later)
  living.applyWrites()
  await world.report(HOST)
  await world.run(id)
  expect(await configStep(id)).toMatchObject({ state: 'done', step: { state: 'done' } })
  expect(existsSync(path.join(living.root, FOLDER, DROP_IN_FILE))).toBe(true)
})
