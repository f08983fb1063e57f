import 'server-only'
import { MEMBER } from '@/lib/domain/plans/flavor-steps/tasks'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { createPatchHandler } from './patch-work'
import type { StepTools } from './step-work'

type Task<Kind extends StepTask['kind']> = Extract<StepTask, { kind: Kind }>
type Named = { flavorId: string; flavorName: string }

const goneFlavor = ({ flavorName, flavorId }: Named): string =>
  `Nova no longer has the flavor ${flavorName} (${flavorId}).`

const gone = (why: string) => ({ values: null, gone: why })
const found = (entries: Iterable<readonly [string, string]>) => ({ values: new Map(entries), gone: null })

/** Another client was faster; the next check shows the current value. */
const unlessTaken = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (error) {
    if (!(isOpenStackError(error) && (error.status === 404 || error.status === 409))) throw error
  }
}

const flavorNow = async ({ nova }: StepTools, task: Named) => {
  const flavor = await nova.getFlavor(task.flavorId)
  return flavor === null || flavor.name !== task.flavorName ? null : flavor
}

/** Writes extra specs, of which Nova takes several at once and drops one by one. */
export const setExtraSpecsHandler = createPatchHandler<Task<'set-extra-specs'>>({
  nameOf: ({ flavorName }) => flavorName,
  valueName: (key) => `the extra spec ${key}`,
  read: async (tools, task) => {
    const flavor = await flavorNow(tools, task)
    return flavor === null ? gone(goneFlavor(task)) : found(Object.entries(flavor.extraSpecs))
  },
  write: async ({ nova }, { flavorId, flavorName }, values) => {
    const set = values.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const]))
    const unset = values.filter(({ value }) => value === null).map(({ key }) => key)
    if (set.length > 0) await nova.writeExtraSpecs(flavorId, Object.fromEntries(set))
    for (const key of unset) await unlessTaken(nova.deleteExtraSpec(flavorId, key))
    const words = [...set.map(([key, value]) => `${key}=${value}`), ...unset.map((key) => `${key} gone`)]
    return `/flavors/${flavorId}/os-extra_specs of ${flavorName}: ${words.join(', ')}.`
  },
})

/** Nova stores an empty text if another tool wrote one; it is equal to no text. */
export const describeFlavorHandler = createPatchHandler<Task<'describe-flavor'>>({
  nameOf: ({ flavorName }) => flavorName,
  valueName: () => 'the description',
  read: async (tools, task) => {
    const flavor = await flavorNow(tools, task)
    if (flavor === null) return gone(goneFlavor(task))
    const { description } = flavor
    return found(description === null || description === '' ? [] : [['description', description]])
  },
  write: async ({ nova }, { flavorId }, values) => {
    for (const { value } of values) await nova.describeFlavor(flavorId, value)
    return `PUT /flavors/${flavorId}: described.`
  },
})

/** Which projects may use a private flavor. */
export const setFlavorAccessHandler = createPatchHandler<Task<'set-flavor-access'>>({
  nameOf: ({ flavorName }) => flavorName,
  valueName: (key, { projectNames }) => `the access of ${projectNames[key] ?? key}`,
  read: async (tools, task) => {
    const flavor = await flavorNow(tools, task)
    if (flavor === null) return gone(goneFlavor(task))
    if (flavor.isPublic) return gone(`${task.flavorName} is public now, for every project.`)
    const projectIds = await tools.nova.listFlavorAccess(task.flavorId)
    return found(projectIds.map((id) => [id, MEMBER] as const))
  },
  write: async ({ nova }, { flavorId, projectNames }, values) => {
    for (const { key, value } of values)
      await unlessTaken(
        value === null ? nova.removeFlavorAccess(flavorId, key) : nova.addFlavorAccess(flavorId, key),
      )
    const words = values.map(
      ({ key, value }) => `${projectNames[key] ?? key} ${value === null ? 'may not' : 'may'} use it`,
    )
    return `POST /flavors/${flavorId}/action: ${words.join(', ')}.`
  },
})

const aggregateNow = async ({ nova }: StepTools, { aggregate }: { aggregate: string }) =>
  (await nova.listAggregates()).find(({ name }) => name === aggregate)

const goneAggregate = ({ aggregate }: { aggregate: string }): string =>
  `Nova no longer has the aggregate ${aggregate}.`

/** Nova updates the aggregates of each host in Placement. */
export const setAggregateHostsHandler = createPatchHandler<Task<'set-aggregate-hosts'>>({
  nameOf: ({ aggregate }) => aggregate,
  valueName: (key) => `the membership of ${key}`,
  read: async (tools, task) => {
    const now = await aggregateNow(tools, task)
    return now === undefined
      ? gone(goneAggregate(task))
      : found(now.hosts.map((host) => [host, MEMBER] as const))
  },
  write: async (tools, task, values) => {
    const now = await aggregateNow(tools, task)
    if (now === undefined) return goneAggregate(task)
    for (const { key, value } of values) {
      const call = value === null ? tools.nova.removeAggregateHost : tools.nova.addAggregateHost
      await unlessTaken(call(now.id, key).then(() => undefined))
    }
    const words = values.map(({ key, value }) => `${key} ${value === null ? 'out' : 'in'}`)
    return `POST /os-aggregates/${now.id}/action: ${words.join(', ')}.`
  },
})

/** A property without a value is taken away. */
export const setAggregatePropertiesHandler = createPatchHandler<Task<'set-aggregate-properties'>>({
  nameOf: ({ aggregate }) => aggregate,
  valueName: (key) => `the property ${key}`,
  read: async (tools, task) => {
    const now = await aggregateNow(tools, task)
    return now === undefined ? gone(goneAggregate(task)) : found(Object.entries(now.metadata))
  },
  write: async (tools, task, values) => {
    const now = await aggregateNow(tools, task)
    if (now === undefined) return goneAggregate(task)
    const metadata = Object.fromEntries(values.map(({ key, value }) => [key, value]))
    await tools.nova.writeAggregateMetadata(now.id, metadata)
    return `POST /os-aggregates/${now.id}/action: ${JSON.stringify(metadata)}.`
  },
})
