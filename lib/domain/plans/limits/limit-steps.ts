import { listText } from '@/lib/domain/wording'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellOperands, shellOption, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import type { StepCall } from '../step'
import type { LimitScope, LimitStep, NewDefault, OwnLimitChange } from './tasks'

const regionText = ({ regionId }: LimitScope): string => (regionId === null ? '' : ` in ${regionId}`)
const valueText = (value: number | null): string => (value === null ? 'none' : String(value))

const scopeFlags = ({ serviceId, regionId }: LimitScope): Encoded<'shell'> =>
  regionId === null
    ? shellOption(sh`--service`, serviceId)
    : sh`${shellOption(sh`--service`, serviceId)} ${shellOption(sh`--region`, regionId)}`

const registeredId = (scope: LimitScope, resourceName: string): Encoded<'shell'> =>
  sh`"$(openstack registered limit list ${scopeFlags(scope)} ${shellOption(sh`--resource-name`, resourceName)} -f value -c ID)"`

/** Registers defaults, all of them or none. */
export const createRegisteredStep = (scope: LimitScope, limits: readonly NewDefault[]): LimitStep => {
  const names = limits.map(({ resourceName }) => resourceName)
  return {
    id: 'create-registered-limits',
    title: `Register ${listText(names)}${regionText(scope)}`,
    doer: 'console',
    calls: [
      http`GET /v3/registered_limits`,
      http`POST /v3/registered_limits ${httpBody({
        registered_limits: limits.map(({ resourceName, defaultLimit }) => ({
          service_id: scope.serviceId,
          region_id: scope.regionId,
          resource_name: resourceName,
          default_limit: defaultLimit,
        })),
      })}`,
    ],
    command: joinEncoded(
      limits.map(
        ({ resourceName, defaultLimit }) =>
          sh`openstack registered limit create ${scopeFlags(scope)} --default-limit ${defaultLimit} ${shellOperands([resourceName])}`,
      ),
      '\n',
    ),
    undoCommand: joinEncoded(
      names.map((name) => sh`openstack registered limit delete ${registeredId(scope, name)}`),
      '\n',
    ),
    sees: `Keystone has none of them for Nova${regionText(scope)}.`,
    precondition: 'None of them was registered with another value since planning.',
    check: `GET /v3/registered_limits has ${limits.map(({ resourceName, defaultLimit }) => `${resourceName} ${defaultLimit}`).join(', ')}.`,
    undo: 'Deletes those that are unchanged since this step and that no project limit refers to.',
    task: { kind: 'create-registered-limits', limitScope: scope, limits },
  }
}

const limitId = (scope: LimitScope, { projectId, resourceName }: OwnLimitChange): Encoded<'shell'> =>
  sh`"$(openstack limit list ${shellOption(sh`--project`, projectId)} ${scopeFlags(scope)} ${shellOption(sh`--resource-name`, resourceName)} -f value -c ID)"`

/** PATCH to 0 answers 200 and changes nothing (keystone/limit/backends/sql.py), so a limit of 0 is recreated. */
const ownCommand = (scope: LimitScope, change: OwnLimitChange, from: number | null, to: number | null) => {
  const create = sh`openstack limit create ${shellOption(sh`--project`, change.projectId)} ${scopeFlags(scope)} --resource-limit ${to ?? 0} ${shellOperands([change.resourceName])}`
  const remove = sh`openstack limit delete ${limitId(scope, change)}`
  if (to === null) return remove
  if (from === null) return create
  if (to === 0) return sh`${remove}\n${create}`
  return sh`openstack limit set --resource-limit ${to} ${limitId(scope, change)}`
}

const ownCalls = (scope: LimitScope, limits: readonly OwnLimitChange[]): StepCall[] => {
  const isRecreated = ({ seen, wanted }: OwnLimitChange) => wanted !== null && (seen === null || wanted === 0)
  const made = limits.filter(isRecreated)
  return [
    http`GET /v3/limits?service_id=${httpPart(scope.serviceId)}`,
    ...limits
      .filter((change) => change.seen !== null && (change.wanted === null || isRecreated(change)))
      .map(
        ({ projectName, resourceName }) =>
          http`DELETE /v3/limits/{${httpPart(resourceName)} of ${httpPart(projectName)}}`,
      ),
    ...limits
      .filter((change) => change.wanted !== null && !isRecreated(change))
      .map(
        ({ projectName, resourceName, wanted }) =>
          http`PATCH /v3/limits/{${httpPart(resourceName)} of ${httpPart(projectName)}} ${httpBody({ limit: { resource_limit: wanted } })}`,
      ),
    ...(made.length === 0
      ? []
      : [
          http`POST /v3/limits ${httpBody({
            limits: made.map(({ projectId, resourceName, wanted }) => ({
              service_id: scope.serviceId,
              region_id: scope.regionId,
              project_id: projectId,
              resource_name: resourceName,
              resource_limit: wanted,
            })),
          })}`,
        ]),
  ]
}

const ownText = ({ projectName, resourceName, wanted }: OwnLimitChange): string =>
  `${resourceName} of ${projectName} ${valueText(wanted)}`

/** Limits of one step: a failure stops a large change between two of them, and each is retried or skipped alone. */
const MAX_STEP_LIMITS = 100

/** Writes limits of single projects, in as many steps as necessary. */
export const setOwnLimitsSteps = (scope: LimitScope, limits: readonly OwnLimitChange[]): LimitStep[] => {
  const count = Math.ceil(limits.length / MAX_STEP_LIMITS)
  return Array.from({ length: count }, (_, index) =>
    setOwnLimitsStep(scope, limits.slice(index * MAX_STEP_LIMITS, (index + 1) * MAX_STEP_LIMITS), {
      stepId: index === 0 ? 'set-project-limits' : `set-project-limits/${index + 1}`,
      part: count === 1 ? '' : ` (part ${index + 1} of ${count})`,
    }),
  )
}

/** Limits that are recreated go in one call, which creates all or none. */
const setOwnLimitsStep = (
  scope: LimitScope,
  limits: readonly OwnLimitChange[],
  { stepId, part }: { stepId: string; part: string },
): LimitStep => ({
  id: stepId,
  title: `${ownTitle(limits)}${part}`,
  doer: 'console',
  calls: ownCalls(scope, limits),
  command: joinEncoded(
    limits.map((change) => ownCommand(scope, change, change.seen, change.wanted)),
    '\n',
  ),
  undoCommand: joinEncoded(
    limits.map((change) => ownCommand(scope, change, change.wanted, change.seen)),
    '\n',
  ),
  sees: `${listText(
    limits.map(
      ({ projectName, resourceName, seen }) => `${resourceName} of ${projectName} ${valueText(seen)}`,
    ),
    6,
  )}.`,
  precondition: 'Each of these limits is unchanged since planning.',
  check: `GET /v3/limits has ${listText(limits.map(ownText), 6)}.`,
  undo: 'Restores the state at planning. Limits of other projects are kept.',
  task: { kind: 'set-project-limits', stepId, limitScope: scope, limits },
})

/** `Write 5 limits of projects`. */
export const ownTitle = (limits: readonly OwnLimitChange[]): string => {
  const [only] = limits
  if (only === undefined || limits.length > 1) return `Set ${formatNoun(limits.length, 'project limit')}`
  const { projectName, resourceName, wanted } = only
  return wanted === null
    ? `Delete the limit of ${projectName} on ${resourceName}`
    : `Set ${resourceName} of ${projectName} to ${wanted}`
}

const aroundCommand = (
  scope: LimitScope,
  { resourceName, overrides }: Pick<DefaultWrite, 'resourceName' | 'overrides'>,
  { from, to, value }: { from: 'seen' | 'wanted'; to: 'seen' | 'wanted'; value: number },
): Encoded<'shell'> =>
  joinEncoded(
    [
      ...overrides
        .filter((each) => each[from] !== null)
        .map((each) => ownCommand(scope, each, each[from], null)),
      sh`openstack registered limit set --default-limit ${value} ${registeredId(scope, resourceName)}`,
      ...overrides.filter((each) => each[to] !== null).map((each) => ownCommand(scope, each, null, each[to])),
    ],
    '\n',
  )

type DefaultWrite = {
  resourceName: string
  seen: number
  wanted: number
  /** Limits of single projects on it, those that stay with the same value on both sides. */
  overrides: readonly OwnLimitChange[]
}

/**
 * Changes the default of projects that have no specific limit. Keystone refuses that while any project has one, so those
 * are read, deleted, and recreated with the requested values.
 */
export const setRegisteredStep = (scope: LimitScope, write: DefaultWrite): LimitStep => {
  const { resourceName, seen, wanted, overrides } = write
  const stepId = `set-registered-limit/${resourceName}`
  const held = overrides.filter((each) => each.seen !== null)
  const back = overrides.filter((each) => each.wanted !== null)
  return {
    id: stepId,
    title: `Set the default of ${resourceName} from ${seen} to ${wanted}${held.length === 0 ? '' : `, and recreate ${formatNoun(held.length, 'project limit')}`}`,
    doer: 'console',
    calls: [
      http`GET /v3/registered_limits`,
      ...ownCalls(
        scope,
        held.map((each) => ({ ...each, wanted: null })),
      ),
      http`PATCH /v3/registered_limits/{${httpPart(resourceName)}} ${httpBody({ registered_limit: { default_limit: wanted } })}`,
      ...(back.length === 0
        ? []
        : ownCalls(
            scope,
            back.map((each) => ({ ...each, seen: null })),
          ).slice(1)),
    ],
    command: aroundCommand(scope, write, { from: 'seen', to: 'wanted', value: wanted }),
    undoCommand: aroundCommand(scope, write, { from: 'wanted', to: 'seen', value: seen }),
    sees: `The default is ${seen}${
      held.length === 0
        ? ''
        : `; ${listText(
            held.map(({ projectName, seen: value }) => `${projectName} ${value}`),
            8,
          )}`
    }.`,
    precondition:
      'The default and its project limits are unchanged since planning, and no other project has a limit.',
    check: `GET /v3/registered_limits/{${resourceName}} returns ${wanted}, and every project limit is recreated.`,
    undo: `Restores ${seen} in the same way, with the project limits at planning.`,
    task: { kind: 'set-registered-limit', stepId, limitScope: scope, resourceName, seen, wanted, overrides },
  }
}

/** Lets Nova's user read the limits of all projects. */
export const grantRoleStep = ({ id, name }: { id: string; name: string }, role = 'reader'): LimitStep => ({
  id: `grant-system-role/${id}`,
  title: `Assign the role ${role} on the system to ${name}`,
  doer: 'console',
  calls: [
    http`GET /v3/system/users/${httpPart(id)}/roles`,
    http`PUT /v3/system/users/${httpPart(id)}/roles/{${httpPart(role)}}`,
  ],
  command: sh`openstack role add ${shellOption(sh`--user`, id)} --system all ${shellWord(role)}`,
  undoCommand: sh`openstack role remove ${shellOption(sh`--user`, id)} --system all ${shellWord(role)}`,
  sees: `${name} (${id}) has no role ${role} on the system.`,
  precondition: 'The user and the role still exist.',
  check: `GET /v3/system/users/${id}/roles lists ${role}.`,
  undo: 'Revokes the role. With unified limits, Nova creates no server without it.',
  task: { kind: 'grant-system-role', userId: id, userName: name, role },
})
