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
import type { CarriedDevice, CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'keep-traits' }>

const words = (devices: readonly TraitPlacement[]): string =>
  listText([...new Set(devices.map(({ trait }) => trait))].toSorted()) || 'no trait'

/** Each device with the provider that has its trait now, and the devices whose provider exists without it. */
const readDevices = async (
  tools: StepTools,
  { rootName }: Task,
  devices: readonly TraitPlacement[],
): Promise<{ carried: CarriedDevice[]; without: TraitPlacement[] }> => {
  const root = await providerByName(tools, rootName)
  const tree = root === null ? [] : await tools.placement.listProviders({ inTree: root.uuid })
  const uuids = new Map(tree.map(({ name, uuid }) => [name, uuid]))
  const carried: CarriedDevice[] = []
  const without: TraitPlacement[] = []
  for (const device of devices) {
    const uuid = uuids.get(device.providerName)
    const isCarried =
      uuid !== undefined && (await tools.placement.getTraits(uuid)).traits.includes(device.trait)
    carried.push({ ...device, providerUuid: isCarried ? uuid : null })
    if (uuid !== undefined && !isCarried) without.push(device)
  }
  return { carried, without }
}

const listOf = ({ host, pgpuAddress }: Task) => ({ host, pgpuAddress })

const holds = ({ host, pgpuAddress }: Task, devices: readonly TraitPlacement[]): CheckResult => ({
  state: 'holds',
  answer: `The console manages ${words(devices)} on ${host} ${pgpuAddress}.`,
})

const otherNow = (task: Task, now: readonly TraitPlacement[]): CheckResult =>
  differs(
    task,
    `The managed traits of ${task.host} ${task.pgpuAddress} changed after the plan was made: now ${words(now)}.`,
    {
      wayOut: 'Skip the step to keep the current traits, or plan again from the current traits.',
    },
  )

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const now = await tools.managedTraits.list(listOf(task))
  if (isSameKeeping(now, task.after)) return holds(task, now)
  if (!isSameKeeping(now, task.before)) return otherNow(task, now)
  const { without } = await readDevices(tools, task, missingPlacements(task.after, task.before))
  const [device] = without
  return device === undefined
    ? { state: 'ready', intent: { managed: words(task.after) } }
    : blocked(
        `${device.providerName} does not have ${device.trait}, so the trait cannot be managed there.`,
        'Add the trait first. The step then continues automatically.',
      )
}

const set = async (tools: StepTools, task: Task, devices: readonly TraitPlacement[]): Promise<string> => {
  const { carried } = await readDevices(tools, task, devices)
  await tools.managedTraits.set(listOf(task), carried)
  return `The console now manages ${words(devices)} on ${task.host} ${task.pgpuAddress}.`
}

/** Adds to the console's list of managed traits, which its service account restores after a provider is recreated. */
export const keepTraitsHandler: ConsoleHandler<Task> = {
  by: 'console',
  isOwnList: true,
  check,
  act: (tools, task) => set(tools, task, task.after),
  checkUndo: async (tools, task) => {
    const now = await tools.managedTraits.list(listOf(task))
    if (isSameKeeping(now, task.before)) return holds(task, now)
    return isSameKeeping(now, task.after)
      ? { state: 'ready', intent: { managed: words(task.before) } }
      : otherNow(task, now)
  },
  undo: (tools, task) => set(tools, task, task.before),
}
