import 'server-only'
import * as z from 'zod'
import {
  applyTraitChange,
  isNoChange,
  reverseTraitChange,
  type TraitChange,
  traitChange,
} from '@/lib/domain/plans/merge-traits'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import { blocked } from './blocked'
import type { Intent, Look, StepWork, WorkTools } from './step-work'

type Task = Extract<StepTask, { kind: 'set-traits' }>

/** Others write too: Nova its own traits, a second operator theirs. */
const MOST_TRIES = 8

const intentSchema = z.object({ added: z.array(z.string()), removed: z.array(z.string()) })

const toIntent = ({ added, removed }: TraitChange): Intent => ({ added: [...added], removed: [...removed] })

const listed = (traits: readonly string[]): string => (traits.length === 0 ? 'none' : traits.join(', '))

/** Why the provider is not the one that the plan saw; null: it is. */
const otherProvider = async ({ placement }: WorkTools, task: Task): Promise<string | null> => {
  const [now] = await placement.listProviders({ name: task.providerName })
  if (now === undefined) return `Placement has no provider ${task.providerName} any more.`
  return now.uuid === task.providerUuid
    ? null
    : `Nova re-created ${task.providerName}: the plan saw ${task.providerUuid}, now it is ${now.uuid}.`
}

const otherType = async (tools: WorkTools, task: Task): Promise<Look | null> => {
  const { types, reason } = await tools.typesOf(task.host, task.pgpuAddress)
  if (types === null)
    return blocked(
      `What ${task.host} ${task.address} is can't be told now: ${reason}.`,
      'It goes on by itself when the host reports again.',
    )
  const now = types.get(task.address)
  if (now?.typeId === task.typeId) return null
  return blocked(
    `${task.host} ${task.address} is on ${now === undefined ? 'no type' : `${now.typeName} (${now.typeId})`}, the plan saw ${task.typeName} (${task.typeId}).`,
  )
}

const look = async (tools: WorkTools, task: Task): Promise<Look> => {
  const other = await otherProvider(tools, task)
  if (other !== null) return blocked(other)
  const type = await otherType(tools, task)
  if (type !== null) return type
  const { traits } = await tools.placement.getTraits(task.providerUuid)
  const change = traitChange(task, traits)
  if (isNoChange(change))
    return { state: 'holds', answer: `${task.providerName} has ${listed(traits.toSorted())}.` }
  const seen = traits.filter((name) => name === task.trait || task.otherTypes.includes(name)).toSorted()
  return listed(seen) === listed(task.seen)
    ? { state: 'ready', intent: toIntent(change) }
    : blocked(
        `Somebody changed the traits of types on ${task.providerName}: the plan saw ${listed(task.seen)}, now ${listed(seen)}.`,
      )
}

/** Reads, merges and writes until nobody writes in between. */
const write = async (
  placement: PlacementClient,
  { task, change }: { task: Task; change: (traits: readonly string[]) => TraitChange },
): Promise<string> => {
  const path = `/resource_providers/${task.providerUuid}/traits`
  for (let attempt = 1; ; attempt++) {
    const { generation, traits } = await placement.getTraits(task.providerUuid)
    try {
      const written = await placement.putTraits(task.providerUuid, {
        generation,
        traits: applyTraitChange(change(traits), traits),
      })
      return `PUT ${path} at generation ${generation}: ${listed(written.traits.toSorted())}.${
        attempt === 1 ? '' : ` Tried ${attempt} times, because others wrote in between.`
      }`
    } catch (error) {
      const isConflict = isOpenStackError(error) && error.status === 409
      if (!isConflict || attempt === MOST_TRIES) throw error
    }
  }
}

/** Puts a provider's trait on and takes those of other types off; everything else on it stays, both ways. */
export const setTraitsWork: StepWork<Task> = {
  by: 'console',
  look,
  act: ({ placement }, task) => write(placement, { task, change: (traits) => traitChange(task, traits) }),
  lookBack: async (tools, task, intent) => {
    const other = await otherProvider(tools, task)
    if (other !== null)
      return blocked(
        `${other} What this step did went with the old one.`,
        'Skip the step: nothing of it is left to take back.',
      )
    const { traits } = await tools.placement.getTraits(task.providerUuid)
    return isNoChange(reverseTraitChange(intentSchema.parse(intent), traits))
      ? { state: 'holds', answer: `${task.providerName} has ${listed(traits.toSorted())}.` }
      : { state: 'ready', intent }
  },
  undo: ({ placement }, task, intent) => {
    const done = intentSchema.parse(intent)
    return write(placement, { task, change: (traits) => reverseTraitChange(done, traits) })
  },
}
