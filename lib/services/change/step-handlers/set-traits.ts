import 'server-only'
import * as z from 'zod'
import {
  applyTraitChange,
  isNoChange,
  reverseTraitChange,
  type TraitChange,
  traitChange,
} from '@/lib/domain/plans/merge-traits'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import { typeTargets } from '@/lib/domain/plans/written-targets'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import { blocked, differs, unreadable, waiting } from './blocked'
import { providerByName } from './provider-by-name'
import { type CheckResult, type ConsoleHandler, readIntent, type StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'set-traits' }>

/** Others write too: Nova its own traits, a second operator theirs. */
const MAX_TRIES = 8

const intentSchema = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Of the provider that it was done to; intents of older consoles do not say. */
  providerUuid: z.string().optional(),
})

const toIntent = ({ added, removed }: TraitChange, providerUuid: string): Intent => ({
  added: [...added],
  removed: [...removed],
  providerUuid,
})

const listed = (traits: readonly string[]): string => (traits.length === 0 ? 'none' : traits.join(', '))

const absent = ({ providerName }: Task): CheckResult =>
  blocked(
    `Placement has no resource provider ${providerName}.`,
    'Nova re-creates it, without its traits, when the GPU has free capacity. The step then continues. Or skip it.',
  )

/**
 * Why a provider that Nova recreated is not trusted yet; null: it is. Its type may have changed, so the cloud must
 * have been read since, and the host must have reported after that.
 */
const notBelieved = async (
  tools: StepTools,
  { host, providerName }: Task,
  { known, now }: { known: string; now: string },
): Promise<CheckResult | null> => {
  const what = `Nova re-created ${providerName}: its UUID was ${known} at planning and is now ${now}.`
  if (tools.change.isByHand) return blocked(what)
  const hostNow = await tools.hostNow(host)
  if (hostNow.joined === null) return unreadable(host, hostNow.reason)
  const { joined, fleet } = hostNow
  const { at } = fleet.input.facts.providers
  const isRead = joined.pgpus.some(({ providers }) => providers.some(({ provider }) => provider.uuid === now))
  return isRead && at !== null && Date.parse(joined.host.seenAt) >= Date.parse(at)
    ? null
    : waiting({
        by: what,
        because: `The step continues after the next reading of the cloud and the next report of ${host}.`,
        withinSeconds: 120,
      })
}

const otherType = async (tools: StepTools, task: Task): Promise<CheckResult | null> => {
  const { types, reason } = await tools.typesOf(task.host, task.pgpuAddress)
  if (types === null)
    return blocked(
      `The current type of ${task.host} ${task.address} is unknown: ${reason}.`,
      'The step continues automatically when the host reports again.',
    )
  const now = types.get(task.address)
  if (now?.typeId === task.typeId) return null
  return differs(
    task,
    `${task.host} ${task.address} has ${now === undefined ? 'no vGPU type' : `the vGPU type ${now.typeName} (${now.typeId})`}, and had ${task.typeName} (${task.typeId}) at planning.`,
    { targets: typeTargets(task) },
  )
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const provider = await providerByName(tools, task.providerName)
  if (provider === null) return absent(task)
  const { uuid } = provider
  const isSame = uuid === task.providerUuid
  const early = isSame ? null : await notBelieved(tools, task, { known: task.providerUuid, now: uuid })
  if (early !== null) return early
  const type = await otherType(tools, task)
  if (type !== null) return type
  const { traits } = await tools.placement.getTraits(uuid)
  const change = traitChange(task, traits)
  if (isNoChange(change))
    return { state: 'holds', answer: `${task.providerName} has ${listed(traits.toSorted())}.` }
  const seen = traits.filter((name) => name === task.trait || task.otherTypes.includes(name)).toSorted()
  // A recreated provider has lost some of its traits, and no client has added others.
  const isAsSeen = isSame
    ? listed(seen) === listed(task.seen)
    : seen.every((name) => task.seen.includes(name))
  return isAsSeen
    ? { state: 'ready', intent: toIntent(change, uuid) }
    : differs(
        task,
        `The type traits of ${task.providerName} changed after the plan was made: from ${listed(task.seen)} to ${listed(seen)}.`,
      )
}

/** Reads, merges and writes until no other write comes in between. The provider must be the one that was checked. */
const write = async (
  placement: PlacementClient,
  { uuid, change }: { uuid: string; change: (traits: readonly string[]) => TraitChange },
): Promise<string> => {
  const path = `/resource_providers/${uuid}/traits`
  for (let attempt = 1; ; attempt++) {
    const { generation, traits } = await placement.getTraits(uuid)
    try {
      const written = await placement.putTraits(uuid, {
        generation,
        traits: applyTraitChange(change(traits), traits),
      })
      return `PUT ${path} at generation ${generation}: ${listed(written.traits.toSorted())}.${
        attempt === 1 ? '' : ` Tried ${attempt} times, because others wrote in between.`
      }`
    } catch (error) {
      const isConflict = isOpenStackError(error) && error.status === 409
      if (!isConflict || attempt === MAX_TRIES) throw error
    }
  }
}

/** The traits were lost with a provider that Nova has recreated since: the step owns nothing on the new one. */
const checkUndoRecreated = async (
  tools: StepTools,
  task: Task,
  { done, known, now }: { done: TraitChange; known: string; now: string },
): Promise<CheckResult> => {
  if (done.removed.length === 0)
    return {
      state: 'holds',
      answer: `Nova re-created ${task.providerName}, and the traits of this step were deleted with ${known}.`,
    }
  const early = (await notBelieved(tools, task, { known, now })) ?? (await otherType(tools, task))
  if (early !== null) return early
  const { traits } = await tools.placement.getTraits(now)
  const change = { added: [], removed: done.removed }
  return isNoChange(reverseTraitChange(change, traits))
    ? { state: 'holds', answer: `${task.providerName} has ${listed(traits.toSorted())}.` }
    : { state: 'ready', intent: toIntent(change, now) }
}

const checkUndo = async (tools: StepTools, task: Task, intent: Intent): Promise<CheckResult> => {
  const { providerUuid: known = task.providerUuid, ...done } = readIntent(intentSchema, intent)
  const provider = await providerByName(tools, task.providerName)
  if (provider === null)
    return done.removed.length === 0
      ? { state: 'holds', answer: `Placement no longer has the provider ${task.providerName}.` }
      : absent(task)
  if (provider.uuid !== known) return checkUndoRecreated(tools, task, { done, known, now: provider.uuid })
  const { traits } = await tools.placement.getTraits(known)
  return isNoChange(reverseTraitChange(done, traits))
    ? { state: 'holds', answer: `${task.providerName} has ${listed(traits.toSorted())}.` }
    : { state: 'ready', intent }
}

const uuidIn = (intent: Intent, { providerUuid }: Task): string =>
  readIntent(intentSchema, intent).providerUuid ?? providerUuid

/**
 * Sets a provider's trait and removes those of other types; all other traits stay, in both directions. The step
 * continues on a provider that Nova recreates in the meantime, if its device still has its type.
 */
export const setTraitsHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: ({ placement }, task, intent) =>
    write(placement, { uuid: uuidIn(intent, task), change: (traits) => traitChange(task, traits) }),
  checkUndo,
  undo: ({ placement }, task, intent) => {
    const done = readIntent(intentSchema, intent)
    const change = (traits: readonly string[]) => reverseTraitChange(done, traits)
    return write(placement, { uuid: uuidIn(intent, task), change })
  },
}
