import 'server-only'
import * as z from 'zod'
import { providerConfigNow, putBackBy, putBackReason } from '@/lib/domain/nova-config/provider-config-now'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { blocked, waitingForNova } from './blocked'
import { providerByName } from './provider-by-name'
import { type CheckResult, type ConsoleHandler, readIntent, type StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'move-traits' }>

const intentSchema = z.object({ traits: z.array(z.string()) })

/** Others write too: Nova its own traits, a second operator theirs. */
const MAX_TRIES = 8

const listed = (traits: readonly string[]): string => listText(traits, 8) || 'no custom traits'

const absent = ({ provider, host }: Task): CheckResult =>
  waitingForNova(`Placement has no resource provider ${provider.name} yet.`, host)

/** What has to be on the provider, and what must not. */
type Wanted = { on: string[]; off: string[] }

const wanted = ({ direction, traits, foreign }: Task): Wanted =>
  direction === 'on' ? { on: [...traits, ...foreign], off: [] } : { on: [], off: [...traits] }

/** What a roll back leaves there: all that the plan saw, or the trait of the new type off again. */
const wantedBack = (
  { direction, traits, foreign }: Task,
  { traits: own }: { traits: readonly string[] },
): Wanted =>
  direction === 'on'
    ? { on: [], off: own.filter((trait) => !foreign.includes(trait)) }
    : { on: [...traits, ...foreign], off: [] }

const isSo = ({ on, off }: Wanted, traits: readonly string[]): boolean =>
  on.every((trait) => traits.includes(trait)) && !off.some((trait) => traits.includes(trait))

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const provider = await providerByName(tools, task.provider.name)
  if (provider === null)
    return task.direction === 'on'
      ? absent(task)
      : {
          state: 'holds',
          answer: `Nova has removed ${task.provider.name} from Placement.`,
          intent: { traits: [...task.traits] },
        }
  const { traits } = await tools.placement.getTraits(provider.uuid)
  const goal = wanted(task)
  const answer = `${task.provider.name} has ${listed(traits.filter((trait) => trait.startsWith('CUSTOM_')).toSorted())}.`
  const changed = task.traits.filter((trait) => traits.includes(trait) === (task.direction === 'off'))
  if (isSo(goal, traits)) return { state: 'holds', answer, intent: { traits: changed } }
  return (await managedByNova(tools, task, provider.uuid)) ?? { state: 'ready', intent: { traits: changed } }
}

/**
 * Provider config may have been written since the plan was created: Nova would restore the removed traits from it.
 */
const managedByNova = async (
  tools: StepTools,
  { host, direction, provider, traits }: Task,
  uuid: string,
): Promise<CheckResult | null> => {
  const { joined } = direction === 'off' ? await tools.hostNow(host) : { joined: null }
  const { now } = providerConfigNow(joined?.host.inventory.novaConfig ?? null)
  if (now === null) return null
  const back = putBackBy(now, {
    providers: [{ name: provider.name, uuid }],
    isMeant: (trait) => traits.includes(trait),
  })
  return back === null ? null : blocked(`On ${host}, ${putBackReason(back)}.`)
}

/** Reads, merges and writes until no other write comes in between. */
const write = async (tools: StepTools, task: Task, goal: Wanted): Promise<string> => {
  for (let attempt = 1; ; attempt++) {
    const provider = await providerByName(tools, task.provider.name)
    if (provider === null) return `Placement has no provider ${task.provider.name}.`
    const { generation, traits } = await tools.placement.getTraits(provider.uuid)
    const next = [...new Set([...traits.filter((trait) => !goal.off.includes(trait)), ...goal.on])].toSorted()
    try {
      for (const trait of goal.on) await tools.placement.createTrait(trait)
      const written = await tools.placement.putTraits(provider.uuid, { generation, traits: next })
      return `PUT /resource_providers/${provider.uuid}/traits at generation ${generation}: ${listed(written.traits.toSorted())}.`
    } catch (error) {
      const isRaced = isOpenStackError(error) && (error.status === 409 || error.status === 404)
      if (!isRaced || attempt === MAX_TRIES) throw error
    }
  }
}

const checkUndo = async (tools: StepTools, task: Task, intent: Intent): Promise<CheckResult> => {
  const provider = await providerByName(tools, task.provider.name)
  if (provider === null)
    return task.direction === 'off'
      ? absent(task)
      : { state: 'holds', answer: `Placement no longer has the provider ${task.provider.name}.` }
  const { traits } = await tools.placement.getTraits(provider.uuid)
  return isSo(wantedBack(task, readIntent(intentSchema, intent)), traits)
    ? { state: 'holds', answer: `${task.provider.name} has ${listed(traits.toSorted())}.` }
    : { state: 'ready', intent }
}

/** Moves the traits of a provider along with its type, by the provider's name, over its re-creation. */
export const moveTraitsHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: (tools, task) => write(tools, task, wanted(task)),
  checkUndo,
  undo: (tools, task, intent) => write(tools, task, wantedBack(task, readIntent(intentSchema, intent))),
}
