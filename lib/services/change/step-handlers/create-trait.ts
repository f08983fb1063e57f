import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { StepHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'create-trait' }>

const exists = async ({ placement }: StepTools, { trait }: Task): Promise<boolean> =>
  (await placement.listTraits({ prefix: trait })).includes(trait)

/** Creates a trait in Placement; deletes it on the way back only if it is unused. */
export const createTraitHandler: StepHandler<Task> = {
  by: 'console',
  check: async (tools, task) =>
    (await exists(tools, task))
      ? { state: 'holds', answer: `Placement has ${task.trait}.` }
      : { state: 'ready', intent: { created: task.trait } },
  act: async ({ placement }, { trait }) => {
    await placement.createTrait(trait)
    return `PUT /traits/${trait}: made.`
  },
  checkUndo: async (tools, task, intent) => {
    const { placement } = tools
    if (intent.created !== task.trait) return { state: 'holds', answer: `${task.trait} existed before.` }
    if (!(await exists(tools, task))) return { state: 'holds', answer: `${task.trait} is gone.` }
    const associated = await placement.listTraits({ prefix: task.trait, isAssociated: true })
    return associated.includes(task.trait)
      ? { state: 'holds', answer: `${task.trait} is kept: providers outside this change now have it.` }
      : { state: 'ready', intent }
  },
  undo: async ({ placement }, { trait }) => {
    try {
      await placement.deleteTrait(trait)
    } catch (error) {
      // The trait was deleted, or set on a provider, a moment ago; the next check shows which.
      if (!(isOpenStackError(error) && (error.status === 404 || error.status === 409))) throw error
    }
    return `DELETE /traits/${trait}: gone.`
  },
}
