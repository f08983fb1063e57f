import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'create-aggregate' }>

const find = async ({ nova }: StepTools, { aggregate }: Task) =>
  (await nova.listAggregates()).find(({ name }) => name === aggregate)

/** Creates an aggregate; deletes it on the way back only if it is otherwise empty. */
export const createAggregateHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, task) => {
    const found = await find(tools, task)
    return found === undefined
      ? { state: 'ready', intent: { made: task.aggregate } }
      : { state: 'holds', answer: `Nova has the aggregate ${task.aggregate} as ${found.id}.` }
  },
  act: async ({ nova }, { aggregate }) => {
    const made = await nova.createAggregate(aggregate)
    return `POST /os-aggregates: ${aggregate} is ${made.id}.`
  },
  checkUndo: async (tools, task, intent) => {
    const found = await find(tools, task)
    if (found === undefined) return { state: 'holds', answer: `${task.aggregate} is gone.` }
    return found.hosts.length + Object.keys(found.metadata).length > 0
      ? { state: 'holds', answer: `${task.aggregate} is kept: others have added hosts or properties to it.` }
      : { state: 'ready', intent }
  },
  undo: async (tools, task) => {
    const found = await find(tools, task)
    if (found === undefined) return `${task.aggregate} is gone.`
    try {
      await tools.nova.deleteAggregate(found.id)
    } catch (error) {
      // The aggregate was deleted, or got a host, a moment ago; the next check shows which.
      if (!(isOpenStackError(error) && (error.status === 404 || error.status === 400))) throw error
    }
    return `DELETE /os-aggregates/${found.id}: gone.`
  },
}
