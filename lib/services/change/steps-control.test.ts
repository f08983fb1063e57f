import { expect, test, vi } from 'vitest'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import type { StepTools } from './step-handlers/step-work'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The snapshots by which steps.test.ts judges every plan, held against steps that are broken on purpose. */
const world = createChangeWorld({ hostCount: 2 })

const STRAY = 'CUSTOM_STEPS_STRAY'
type ToolsOf = ReturnType<typeof world.toolsOf>

const right = (): ToolsOf => world.toolsOf()

/** Reports success, and writes one trait too many. */
const writingTooMuch = (): ToolsOf => {
  const next = world.toolsOf()
  return async (change): Promise<StepTools> => {
    const tools = await next(change)
    const { placement } = tools
    const putTraits: typeof placement.putTraits = (uuid, { traits, ...rest }) =>
      placement.putTraits(uuid, { ...rest, traits: [...traits, STRAY] })
    return { ...tools, placement: { ...placement, putTraits } }
  }
}

const act = async (id: number, action: 'start' | 'roll-back') => {
  const { version } = await getChange(world.ctx(), { id })
  return actOnChange(world.ctx(), { id, body: { action, version } })
}

/** To the end and back, and what there is at both. */
const thereAndBack = async ({ forth, back }: { forth: ToolsOf; back: ToolsOf }) => {
  const { id } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(1),
    rule: 'CUSTOM_STEPS_{type}',
  })
  await act(id, 'start')
  await world.run(id, { toolsOf: forth })
  const done = await world.snapshot()
  await act(id, 'roll-back')
  await world.run(id, { toolsOf: back })
  return { done, undone: await world.snapshot() }
}

test('a step that does too much, on the way to the end or back, is found in what there is afterwards', async () => {
  await world.placement().createTrait(STRAY)
  const before = await world.snapshot()
  const expected = await thereAndBack({ forth: right(), back: right() })
  expect(expected.undone).toEqual(before)
  expect(expected.done).not.toEqual(before)
  const tooMuchBack = await thereAndBack({ forth: right(), back: writingTooMuch() })
  expect(tooMuchBack.done).toEqual(expected.done)
  expect(tooMuchBack.undone).not.toEqual(before)
  const tooMuchForth = await thereAndBack({ forth: writingTooMuch(), back: right() })
  expect(tooMuchForth.done).not.toEqual(expected.done)
})
