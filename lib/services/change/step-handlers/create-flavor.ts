import 'server-only'
import type { Flavor } from '@/lib/domain/cloud/types'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { formatNoun } from '@/lib/util/format'
import { differs } from './blocked'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'create-flavor' }>

const sizeText = ({ vcpus, memoryMib, diskGib, isPublic }: Omit<Task['flavor'], 'name' | 'description'>) =>
  `${formatNoun(vcpus, 'vCPU')}, ${memoryMib} MiB, ${diskGib} GiB disk, ${isPublic ? 'public' : 'private'}`

const isAsPlanned = (flavor: Flavor, { flavor: wanted }: Task): boolean =>
  flavor.name === wanted.name && sizeText(flavor) === sizeText(wanted)

const check = async ({ nova }: StepTools, task: Task): Promise<CheckResult> => {
  const { flavorId, flavor: wanted } = task
  const own = await nova.getFlavor(flavorId)
  if (own !== null)
    return isAsPlanned(own, task)
      ? { state: 'holds', answer: `Nova has ${wanted.name} as ${flavorId}.` }
      : differs(
          task,
          `Nova has another flavor with the id ${flavorId}: the plan creates ${wanted.name} (${sizeText(wanted)}), Nova has ${own.name} (${sizeText(own)}).`,
        )
  const other = (await nova.listFlavors()).find(({ name }) => name === wanted.name)
  if (other === undefined) return { state: 'ready', intent: { flavorId } }
  return differs(
    task,
    `A flavor ${wanted.name} was created after the plan was made: ${other.id} with ${sizeText(other)}. The plan has ${sizeText(wanted)}.`,
    { wayOut: 'Plan again with another name.' },
  )
}

/** Creates a flavor under the plan's id, so that it can be recognized. */
export const createFlavorHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: async ({ nova }, { flavorId, flavor }) => {
    const made = await nova.createFlavor({ ...flavor, id: flavorId })
    return `POST /flavors: ${made.name} is ${made.id}.`
  },
  checkUndo: async ({ nova }, { flavorId, flavor }, intent) =>
    (await nova.getFlavor(flavorId)) === null
      ? { state: 'holds', answer: `${flavor.name} is gone.` }
      : { state: 'ready', intent },
  undo: async ({ nova }, { flavorId }) => {
    try {
      await nova.deleteFlavor(flavorId)
    } catch (error) {
      if (!(isOpenStackError(error) && error.status === 404)) throw error
    }
    return `DELETE /flavors/${flavorId}: gone.`
  },
}
