import type { ValueChange } from './flavor-steps/tasks'
import type { LimitPlace } from './limits/tasks'
import type { StepTask } from './types'

const traitsOf = (providerName: string): string => `traits of ${providerName}`

/** A limit of a project, or the default of all. */
export const limitTarget = (
  { serviceId, regionId }: LimitPlace,
  resourceName: string,
  projectId = 'default',
): string => `limit ${serviceId} ${regionId ?? ''} ${resourceName} ${projectId}`

const values = (object: string, changes: readonly ValueChange[]): string[] =>
  changes.map(({ key }) => `${object} ${key}`)

/**
 * What a step writes, by names that are the same in every change and survive a re-creation of the object. Empty: the step
 * writes nothing that a step of another change writes too.
 */
export const writtenTargets = (task: StepTask): string[] => {
  switch (task.kind) {
    case 'set-traits':
      return [traitsOf(task.providerName)]
    case 'move-traits':
      return [traitsOf(task.provider.name)]
    case 'keep-traits':
      return [`managed traits of ${task.host} ${task.pgpuAddress}`]
    case 'close-service':
    case 'open-service':
    case 'test-boot':
      return [`nova-compute of ${task.service}`]
    case 'write-config':
      return [`[devices] of ${task.host}`]
    case 'write-pci-config':
      return [`[pci] of ${task.host}`]
    case 'write-cpu-config':
      return [`CPU options of ${task.host}`]
    case 'write-provider-config':
      return [`${task.path} of ${task.host}`]
    case 'set-vfio-type':
      return [`vGPU type of ${task.host} ${task.address}`]
    case 'bind-driver':
      return [`driver of ${task.host} ${task.address}`]
    case 'create-flavor':
      return [`flavor ${task.flavorId}`, `flavor named ${task.flavor.name}`]
    case 'set-extra-specs':
      return values(`extra spec of ${task.flavorId}`, task.changes)
    case 'describe-flavor':
      return values(`description of ${task.flavorId}`, task.changes)
    case 'set-flavor-access':
      return values(`access to ${task.flavorId}`, task.changes)
    case 'set-aggregate-hosts':
      return values(`host of ${task.aggregate}`, task.changes)
    case 'set-aggregate-properties':
      return values(`property of ${task.aggregate}`, task.changes)
    case 'create-registered-limits':
      return task.limits.map(({ resourceName }) => limitTarget(task.place, resourceName))
    case 'set-registered-limit':
      return [
        limitTarget(task.place, task.resourceName),
        ...task.overrides.map(({ projectId }) => limitTarget(task.place, task.resourceName, projectId)),
      ]
    case 'set-project-limits':
      return task.limits.map(({ resourceName, projectId }) =>
        limitTarget(task.place, resourceName, projectId),
      )
    case 'remove-stray-limits': {
      const place = { serviceId: task.serviceId, regionId: null }
      return [
        ...task.registered.map(({ resourceName }) => limitTarget(place, resourceName)),
        ...task.limits.map(({ resourceName, projectId }) => limitTarget(place, resourceName, projectId)),
      ]
    }
    case 'await-alias':
    case 'await-empty':
    case 'await-offer':
    case 'clear-spares':
    case 'create-aggregate':
    case 'create-trait':
    case 'delete-test':
    case 'drain-server':
    case 'follow-capacity':
    case 'grant-system-role':
    case 'remove-mdev':
    case 'remove-stale-provider':
    case 'restart-nova':
    case 'switch-vfs':
    case 'verify-pgpu':
    case 'verify-room':
    case 'verify-sliced':
    case 'verify-whole':
      return []
  }
}

/** What gives a device its vGPU type. */
export const typeTargets = ({ host, address }: { host: string; address: string }): string[] => [
  `[devices] of ${host}`,
  `vGPU type of ${host} ${address}`,
]

/** Steps that may write what another kind of step writes too, with that kind. */
const SHARED: readonly (readonly StepTask['kind'][])[] = [
  ['set-traits', 'move-traits', 'write-config', 'set-vfio-type'],
  ['close-service', 'open-service', 'test-boot'],
  ['create-registered-limits', 'set-registered-limit', 'set-project-limits'],
]

/** Kinds of steps that may write the targets of a step. */
export const writersLike = (kind: StepTask['kind']): readonly StepTask['kind'][] =>
  SHARED.find((kinds) => kinds.includes(kind)) ?? [kind]
