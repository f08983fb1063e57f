import type { ValueChange } from './flavor-steps/tasks'
import { type HostLayout, layoutDifference } from './host-steps/host-layout'
import type { LimitScope } from './limits/tasks'
import type { StepTask } from './types'

/** `subject`: the same for all kinds of steps that write the same objects. `names`: of the objects and values that a task writes. */
type Written<Task> = { subject: string; names: (task: Task) => string[] }

const TRAITS = 'traits'
const DEVICES = '[devices]'
const VFIO_TYPE = 'current_vgpu_type'
const LIMIT = 'limit'

const targetOf = (subject: string, name: string): string => `${subject}: ${name}`

const ofService = { subject: 'nova-compute', names: ({ service }: { service: string }) => [service] }

const limitName = (
  { serviceId, regionId }: LimitScope,
  { resourceName, projectId }: { resourceName: string; projectId?: string | null },
): string => `${serviceId} ${regionId ?? ''} ${resourceName} ${projectId ?? 'default'}`

const valuesOf = (object: string, changes: readonly ValueChange[]): string[] =>
  changes.map(({ key }) => `${object} ${key}`)

const layoutNames = (host: string, from: HostLayout, to: HostLayout): string[] =>
  layoutDifference(from, to).map((key) => `${host} ${key}`)

/**
 * What each kind of step writes, by names that are the same in every change and survive a re-creation of the object. Null: the
 * step writes nothing that a step of another change writes too.
 */
const WRITTEN: { readonly [Kind in StepTask['kind']]: Written<Extract<StepTask, { kind: Kind }>> | null } = {
  'set-traits': { subject: TRAITS, names: ({ providerName }) => [providerName] },
  'move-traits': { subject: TRAITS, names: ({ provider }) => [provider.name] },
  'keep-traits': {
    subject: 'managed traits',
    names: ({ host, pgpuAddress }) => [`${host} ${pgpuAddress}`],
  },
  'close-service': ofService,
  'open-service': ofService,
  'test-boot': ofService,
  'write-config': { subject: DEVICES, names: ({ host, before, after }) => layoutNames(host, before, after) },
  'write-pci-config': { subject: '[pci]', names: ({ host }) => [host] },
  'write-cpu-config': { subject: 'CPU options', names: ({ host }) => [host] },
  'write-provider-config': { subject: 'provider config', names: ({ host, path }) => [`${host} ${path}`] },
  'set-vfio-type': { subject: VFIO_TYPE, names: ({ host, address }) => [`${host} ${address}`] },
  'bind-driver': { subject: 'driver', names: ({ host, address }) => [`${host} ${address}`] },
  'create-flavor': { subject: 'flavor', names: ({ flavorId, flavor }) => [flavorId, `named ${flavor.name}`] },
  'set-extra-specs': {
    subject: 'extra spec',
    names: ({ flavorId, changes }) => valuesOf(flavorId, changes),
  },
  'describe-flavor': {
    subject: 'description',
    names: ({ flavorId, changes }) => valuesOf(flavorId, changes),
  },
  'set-flavor-access': {
    subject: 'flavor access',
    names: ({ flavorId, changes }) => valuesOf(flavorId, changes),
  },
  'set-aggregate-hosts': {
    subject: 'aggregate host',
    names: ({ aggregate, changes }) => valuesOf(aggregate, changes),
  },
  'set-aggregate-properties': {
    subject: 'aggregate property',
    names: ({ aggregate, changes }) => valuesOf(aggregate, changes),
  },
  'create-registered-limits': {
    subject: LIMIT,
    names: ({ limitScope: scope, limits }) =>
      limits.map(({ resourceName }) => limitName(scope, { resourceName })),
  },
  'set-registered-limit': {
    subject: LIMIT,
    names: ({ limitScope: scope, resourceName, overrides }) => [
      limitName(scope, { resourceName }),
      ...overrides.map(({ projectId }) => limitName(scope, { resourceName, projectId })),
    ],
  },
  'set-project-limits': {
    subject: LIMIT,
    names: ({ limitScope: scope, limits }) => limits.map((limit) => limitName(scope, limit)),
  },
  'remove-stray-limits': {
    subject: LIMIT,
    names: ({ serviceId, registered, limits }) => {
      const scope = { serviceId, regionId: null }
      return [
        ...registered.map(({ resourceName }) => limitName(scope, { resourceName })),
        ...limits.map((limit) => limitName(scope, limit)),
      ]
    },
  },
  'await-alias': null,
  'await-empty': null,
  'await-offer': null,
  'clear-spares': null,
  'create-aggregate': null,
  'create-trait': null,
  'delete-test': null,
  'drain-server': null,
  'follow-capacity': null,
  'grant-system-role': null,
  'remove-mdev': null,
  'remove-stale-provider': null,
  'restart-nova': null,
  'switch-vfs': null,
  'verify-pgpu': null,
  'verify-room': null,
  'verify-sliced': null,
  'verify-whole': null,
}

/** What a step writes; empty: nothing that a step of another change writes too. */
export const writtenTargets = (task: StepTask): string[] => {
  // The table has every kind; TypeScript cannot infer that each kind selects the entry for its task.
  const written = WRITTEN[task.kind] as Written<StepTask> | null
  return written === null ? [] : written.names(task).map((name) => targetOf(written.subject, name))
}

/** Kinds of steps that may write one of the targets. */
export const kindsThatWrite = (targets: readonly string[]): string[] =>
  Object.entries(WRITTEN).flatMap(([kind, written]) =>
    written !== null && targets.some((target) => target.startsWith(targetOf(written.subject, '')))
      ? [kind]
      : [],
  )

export const traitsTarget = (providerName: string): string => targetOf(TRAITS, providerName)

/** A limit of a project, or the default of all. */
export const limitTarget = (
  scope: LimitScope,
  limit: { resourceName: string; projectId?: string | null },
): string => targetOf(LIMIT, limitName(scope, limit))

/** What gives a device its vGPU type. */
export const typeTargets = ({ host, address }: { host: string; address: string }): string[] =>
  [DEVICES, VFIO_TYPE].map((subject) => targetOf(subject, `${host} ${address}`))

/** The devices and types for which [devices] of a host differs from what was expected. */
export const layoutTargets = (
  host: string,
  { expected, now }: { expected: HostLayout; now: HostLayout },
): string[] => layoutNames(host, expected, now).map((name) => targetOf(DEVICES, name))
