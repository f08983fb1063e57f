import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { uuidFrom } from '@/simulator/random/uuid-from'

/** What is left of a step that was done, in the shapes and words of its work; an intent of null: it only looked. */
export type PastStep = { intent: Intent | null; answer: string }

const looked = (answer: string): PastStep => ({ intent: null, answer })
const serviceCall = (host: string): string => `PUT /os-services/${uuidFrom(`service ${host}`)}`
const traitsCall = (uuid: string, traits: readonly string[]): string =>
  `PUT /resource_providers/${uuid}/traits at generation 1: ${traits.length === 0 ? 'none' : traits.join(', ')}.`

type Tasks = { [Kind in StepTask['kind']]: Extract<StepTask, { kind: Kind }> }

const WORDS: { [Kind in StepTask['kind']]?: (task: Tasks[Kind], at: number) => PastStep } = {
  'create-trait': ({ trait }) => ({ intent: { created: trait }, answer: `PUT /traits/${trait}: made.` }),
  'set-traits': ({ trait, otherTypes, seen, providerUuid }) => {
    const removed = seen.filter((name) => otherTypes.includes(name))
    const added = seen.includes(trait) ? [] : [trait]
    return { intent: { added, removed, providerUuid }, answer: traitsCall(providerUuid, [trait]) }
  },
  'close-service': ({ service, reason }) => ({
    intent: { reason },
    answer: `${serviceCall(service)}: nova-compute of ${service} is disabled: ${reason}.`,
  }),
  'open-service': ({ service, reason }) => ({
    intent: { reason },
    answer: `${serviceCall(service)}: nova-compute of ${service} is enabled.`,
  }),
  'drain-server': ({ serverName }) => looked(`Nova no longer has the server ${serverName}.`),
  'await-empty': ({ addresses }) =>
    looked(
      `Placement: no allocation. Guests: none names an mdev or VF of ${listText(addresses, 4)}, running or shut off.`,
    ),
  'await-offer': ({ typeId, addresses }) =>
    looked(`${typeId}/available_instances is above 0 on ${listText(addresses, 4)}.`),
  'remove-mdev': ({ host, uuid, isActive, start }, at) => ({
    intent: { uuid, isActive, start },
    answer: `${host} no longer has the mdev ${uuid}, as of ${new Date(at).toISOString()}.`,
  }),
  'follow-capacity': ({ address }) => looked(`The driver and Placement show what fits on ${address} now.`),
  'move-traits': ({ traits, provider, direction }) => ({
    intent: { traits: [...traits] },
    answer: traitsCall(uuidFrom(`provider ${provider.name}`), direction === 'on' ? traits : []),
  }),
  'write-config': ({ host, startedAt }) => ({
    intent: { startedAt, was: null },
    answer: `nova.conf of ${host} gives its cards the new type.`,
  }),
  'restart-nova': ({ host, direction }, at) =>
    direction === 'back'
      ? looked(`nova-compute of ${host} has run since a time that its agent does not say.`)
      : {
          intent: { startedAt: null },
          answer: `nova-compute of ${host} has run since ${new Date(at).toISOString()}, and Nova reports nova-compute of ${host} as up.`,
        },
  'verify-pgpu': ({ address, typeName, typeId, resourceClass, total, vfio }) => ({
    intent: { address },
    answer:
      vfio?.isInPlacement === false
        ? `${vfio.functions.length} VFs carry ${typeName} (${typeId}); Placement knows nothing of PCI devices here.`
        : `The driver offers ${typeName} (${typeId}), and Placement has ${resourceClass} total ${total}.`,
  }),
  'set-vfio-type': ({ address, from, to, toName }) => ({
    intent: { address, from, to },
    answer: `current_vgpu_type of ${address} is ${to} (${toName}).`,
  }),
  'set-project-limits': ({ limits }) => ({
    intent: { count: limits.length },
    answer: `/v3/limits: ${listText(
      limits.map(({ projectName, resourceName, wanted }) => `${resourceName} of ${projectName} ${wanted}`),
      6,
    )}.`,
  }),
}

/** What became of a step at a moment of the past. @throws of a step that pasts do not tell of yet. */
export const pastStep = (task: StepTask, at: number): PastStep => {
  // The table has every kind; TypeScript cannot infer that each kind selects the function for its task.
  const format = WORDS[task.kind] as ((task: StepTask, at: number) => PastStep) | undefined
  if (format === undefined) throw new Error(`a past has no words for a step of ${task.kind}`)
  return format(task, at)
}

/** The answer to reverting a step; null: nothing of it can be reverted. */
export const pastStepBack = (task: StepTask): string | null => {
  if (task.kind === 'close-service')
    return `${serviceCall(task.service)}: nova-compute of ${task.service} is enabled.`
  return task.kind === 'create-trait' ? `DELETE /traits/${task.trait}: gone.` : null
}
