import 'server-only'
import {
  isSameKeeping,
  missingPlacements,
  type TraitPlacement,
} from '@/lib/domain/plans/managed-traits/keep-traits-step'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { blocked, differs } from './blocked'
import { providerByName } from './provider-by-name'
import type { CarriedPlace, ConsoleWork, Look, WorkTools } from './step-work'

type Task = Extract<StepTask, { kind: 'keep-traits' }>

const words = (places: readonly TraitPlacement[]): string =>
  listText([...new Set(places.map(({ trait }) => trait))].toSorted()) || 'no trait'

/** Each place with the provider that carries its trait now, and those whose provider is there without it. */
const readPlaces = async (
  tools: WorkTools,
  { rootName }: Task,
  places: readonly TraitPlacement[],
): Promise<{ carried: CarriedPlace[]; without: TraitPlacement[] }> => {
  const root = await providerByName(tools, rootName)
  const tree = root === null ? [] : await tools.placement.listProviders({ inTree: root.uuid })
  const uuids = new Map(tree.map(({ name, uuid }) => [name, uuid]))
  const carried: CarriedPlace[] = []
  const without: TraitPlacement[] = []
  for (const place of places) {
    const uuid = uuids.get(place.providerName)
    const isCarried =
      uuid !== undefined && (await tools.placement.getTraits(uuid)).traits.includes(place.trait)
    carried.push({ ...place, providerUuid: isCarried ? uuid : null })
    if (uuid !== undefined && !isCarried) without.push(place)
  }
  return { carried, without }
}

const listOf = ({ host, pgpuAddress }: Task) => ({ host, pgpuAddress })

const holds = ({ host, pgpuAddress }: Task, places: readonly TraitPlacement[]): Look => ({
  state: 'holds',
  answer: `The console manages ${words(places)} on ${host} ${pgpuAddress}.`,
})

const otherNow = (task: Task, now: readonly TraitPlacement[]): Look =>
  differs(
    task,
    `The managed traits of ${task.host} ${task.pgpuAddress} changed after the plan was made: now ${words(now)}.`,
    {
      wayOut: 'Skip the step to keep the current traits, or plan again from the current traits.',
    },
  )

const look = async (tools: WorkTools, task: Task): Promise<Look> => {
  const now = await tools.managedTraits.list(listOf(task))
  if (isSameKeeping(now, task.after)) return holds(task, now)
  if (!isSameKeeping(now, task.before)) return otherNow(task, now)
  const { without } = await readPlaces(tools, task, missingPlacements(task.after, task.before))
  const [place] = without
  return place === undefined
    ? { state: 'ready', intent: { kept: words(task.after) } }
    : blocked(
        `${place.providerName} does not have ${place.trait}, so the trait cannot be managed there.`,
        'Add the trait first. The step then continues automatically.',
      )
}

const set = async (tools: WorkTools, task: Task, places: readonly TraitPlacement[]): Promise<string> => {
  const { carried } = await readPlaces(tools, task, places)
  await tools.managedTraits.set(listOf(task), carried)
  return `The console now manages ${words(places)} on ${task.host} ${task.pgpuAddress}.`
}

/** Adds to the console's list of managed traits, which its service account restores after a provider is recreated. */
export const keepTraitsWork: ConsoleWork<Task> = {
  by: 'console',
  isOwnList: true,
  look,
  act: (tools, task) => set(tools, task, task.after),
  lookBack: async (tools, task) => {
    const now = await tools.managedTraits.list(listOf(task))
    if (isSameKeeping(now, task.before)) return holds(task, now)
    return isSameKeeping(now, task.after)
      ? { state: 'ready', intent: { kept: words(task.before) } }
      : otherNow(task, now)
  },
  undo: (tools, task) => set(tools, task, task.before),
}
