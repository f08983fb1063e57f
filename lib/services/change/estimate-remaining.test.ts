import { expect, test } from 'vitest'
import type { ChangeState, StepState } from '@/lib/schemas/states'
import { createServiceWorld, secondsAgo } from '@/lib/services/testing/service-world'
import { estimateRemaining } from './estimate-remaining'

const world = createServiceWorld()

type StepFacts = { kind: string; state: StepState; endedSecondsAgo?: number }

const addChange = async (
  cloudId: number,
  {
    state,
    startedSecondsAgo,
    steps,
    isByHand = false,
  }: { state: ChangeState; startedSecondsAgo: number; steps: StepFacts[]; isByHand?: boolean },
): Promise<number> => {
  const at = secondsAgo(startedSecondsAgo)
  const { id } = await world.database().prisma.change.create({
    data: {
      ...{ cloudId, kind: 'traits', title: 'Traits of 1 pGPU', input: {}, preview: {}, state, isByHand },
      ...{
        lastAction: 'start',
        lastBy: 'user:anna',
        lastAt: at,
        madeBy: 'user:anna',
        madeAt: at,
        startedAt: at,
      },
      steps: {
        create: steps.map(({ kind, state: stepState, endedSecondsAgo }, position) => ({
          position,
          body: { id: `${kind}/${position}`, task: { kind } },
          state: stepState,
          changedAt: endedSecondsAgo === undefined ? null : secondsAgo(endedSecondsAgo),
        })),
      },
    },
  })
  return id
}

const done = (kind: string, endedSecondsAgo: number): StepFacts => ({ kind, state: 'done', endedSecondsAgo })
const pending = (kind: string): StepFacts => ({ kind, state: 'pending' })
const estimate = (cloudId: number, changeId: number) =>
  estimateRemaining(world.database(), { cloudId, changeId })

test('the steps that are left take what steps of their kind took, by the median', async () => {
  const { id: cloudId } = await world.newCloud()
  await addChange(cloudId, {
    state: 'done',
    startedSecondsAgo: 1000,
    steps: [done('write-config', 990), done('restart-nova', 930), done('restart-nova', 830)],
  })
  const running = await addChange(cloudId, {
    state: 'running',
    startedSecondsAgo: 100,
    steps: [done('write-config', 80), pending('restart-nova'), { kind: 'write-config', state: 'running' }],
  })
  // Restarts took 60 and 100 s, files 10 and 20 s.
  expect(await estimate(cloudId, running)).toBe(95)
})

test('a kind that was not run before has no estimate, and manual changes and other clouds are no base', async () => {
  const { id: cloudId } = await world.newCloud()
  const { id: other } = await world.newCloud()
  const steps = [done('restart-nova', 900)]
  await addChange(cloudId, { state: 'done', startedSecondsAgo: 1000, steps, isByHand: true })
  await addChange(other, { state: 'done', startedSecondsAgo: 1000, steps })
  const running = await addChange(cloudId, {
    state: 'running',
    startedSecondsAgo: 100,
    steps: [done('write-config', 80), pending('write-config'), pending('restart-nova')],
  })
  expect(await estimate(cloudId, running)).toBeNull()
})

test('without a step that is left there is no estimate', async () => {
  const { id: cloudId } = await world.newCloud()
  const over = await addChange(cloudId, {
    state: 'running',
    startedSecondsAgo: 100,
    steps: [done('write-config', 80)],
  })
  expect(await estimate(cloudId, over)).toBeNull()
})
