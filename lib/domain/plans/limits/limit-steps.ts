import { listText, plural } from '@/lib/domain/wording'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellOperands, shellOption, shellWord } from '@/lib/util/encode/shell'
import type { StepCall } from '../step'
import type { LimitPlace, LimitStep, NewDefault, OwnLimitChange } from './tasks'

const regionWords = ({ regionId }: LimitPlace): string => (regionId === null ? '' : ` in ${regionId}`)
const valueWords = (value: number | null): string => (value === null ? 'none' : String(value))

const placeFlags = ({ serviceId, regionId }: LimitPlace): Encoded<'shell'> =>
  regionId === null
    ? shellOption(sh`--service`, serviceId)
    : sh`${shellOption(sh`--service`, serviceId)} ${shellOption(sh`--region`, regionId)}`

const registeredId = (place: LimitPlace, resourceName: string): Encoded<'shell'> =>
  sh`"$(openstack registered limit list ${placeFlags(place)} ${shellOption(sh`--resource-name`, resourceName)} -f value -c ID)"`

/** Registers defaults, all of them or none. */
export const createRegisteredStep = (place: LimitPlace, limits: readonly NewDefault[]): LimitStep => {
  const names = limits.map(({ resourceName }) => resourceName)
  return {
    id: 'create-registered-limits',
    title: `Register ${listText(names)}${regionWords(place)}`,
    doer: 'console',
    calls: [
      http`GET /v3/registered_limits`,
      http`POST /v3/registered_limits ${httpBody({
        registered_limits: limits.map(({ resourceName, defaultLimit }) => ({
          service_id: place.serviceId,
          region_id: place.regionId,
          resource_name: resourceName,
          default_limit: defaultLimit,
        })),
      })}`,
    ],
    command: joinEncoded(
      limits.map(
        ({ resourceName, defaultLimit }) =>
          sh`openstack registered limit create ${placeFlags(place)} --default-limit ${defaultLimit} ${shellOperands([resourceName])}`,
      ),
      '\n',
    ),
    undoCommand: joinEncoded(
      names.map((name) => sh`openstack registered limit delete ${registeredId(place, name)}`),
      '\n',
    ),
    sees: `Keystone has none of them for Nova${regionWords(place)}.`,
    precondition: 'None of them was registered since with another value.',
    check: `GET /v3/registered_limits has ${limits.map(({ resourceName, defaultLimit }) => `${resourceName} ${defaultLimit}`).join(', ')}.`,
    undo: 'Deletes those that still say what this step wrote and that no project limit refers to.',
    task: { kind: 'create-registered-limits', place, limits },
  }
}

const limitId = (place: LimitPlace, { projectId, resourceName }: OwnLimitChange): Encoded<'shell'> =>
  sh`"$(openstack limit list ${shellOption(sh`--project`, projectId)} ${placeFlags(place)} ${shellOption(sh`--resource-name`, resourceName)} -f value -c ID)"`

/** PATCH to 0 answers 200 and changes nothing (keystone/limit/backends/sql.py), so a limit of 0 is recreated. */
const ownCommand = (place: LimitPlace, change: OwnLimitChange, from: number | null, to: number | null) => {
  const create = sh`openstack limit create ${shellOption(sh`--project`, change.projectId)} ${placeFlags(place)} --resource-limit ${to ?? 0} ${shellOperands([change.resourceName])}`
  const remove = sh`openstack limit delete ${limitId(place, change)}`
  if (to === null) return remove
  if (from === null) return create
  if (to === 0) return sh`${remove}\n${create}`
  return sh`openstack limit set --resource-limit ${to} ${limitId(place, change)}`
}

const ownCalls = (place: LimitPlace, limits: readonly OwnLimitChange[]): StepCall[] => {
  const isMadeAnew = ({ seen, wanted }: OwnLimitChange) => wanted !== null && (seen === null || wanted === 0)
  const made = limits.filter(isMadeAnew)
  return [
    http`GET /v3/limits?service_id=${httpPart(place.serviceId)}`,
    ...limits
      .filter((change) => change.seen !== null && (change.wanted === null || isMadeAnew(change)))
      .map(
        ({ projectName, resourceName }) =>
          http`DELETE /v3/limits/{${httpPart(resourceName)} of ${httpPart(projectName)}}`,
      ),
    ...limits
      .filter((change) => change.wanted !== null && !isMadeAnew(change))
      .map(
        ({ projectName, resourceName, wanted }) =>
          http`PATCH /v3/limits/{${httpPart(resourceName)} of ${httpPart(projectName)}} ${httpBody({ limit: { resource_limit: wanted } })}`,
      ),
    ...(made.length === 0
      ? []
      : [
          http`POST /v3/limits ${httpBody({
            limits: made.map(({ projectId, resourceName, wanted }) => ({
              service_id: place.serviceId,
              region_id: place.regionId,
              project_id: projectId,
              resource_name: resourceName,
              resource_limit: wanted,
            })),
          })}`,
        ]),
  ]
}

const ownWords = ({ projectName, resourceName, wanted }: OwnLimitChange): string =>
  `${resourceName} of ${projectName} ${valueWords(wanted)}`

/** Writes limits of single projects; those that are recreated go in one call, which creates all or none. */
export const setOwnLimitsStep = (place: LimitPlace, limits: readonly OwnLimitChange[]): LimitStep => {
  const stepId = 'set-project-limits'
  return {
    id: stepId,
    title: ownTitle(limits),
    doer: 'console',
    calls: ownCalls(place, limits),
    command: joinEncoded(
      limits.map((change) => ownCommand(place, change, change.seen, change.wanted)),
      '\n',
    ),
    undoCommand: joinEncoded(
      limits.map((change) => ownCommand(place, change, change.wanted, change.seen)),
      '\n',
    ),
    sees: `${listText(
      limits.map(
        ({ projectName, resourceName, seen }) => `${resourceName} of ${projectName} ${valueWords(seen)}`,
      ),
      6,
    )}.`,
    precondition: 'Each of these limits is still what the plan saw.',
    check: `GET /v3/limits has ${listText(limits.map(ownWords), 6)}.`,
    undo: 'Writes back what the plan saw. Limits of other projects stay.',
    task: { kind: 'set-project-limits', stepId, place, limits },
  }
}

/** `Write 5 limits of projects`. */
export const ownTitle = (limits: readonly OwnLimitChange[]): string => {
  const [only] = limits
  if (only === undefined || limits.length > 1)
    return `Write ${plural(limits.length, 'limit of a project', 'limits of projects')}`
  const { projectName, resourceName, wanted } = only
  return wanted === null
    ? `Take the own limit of ${projectName} on ${resourceName} away`
    : `Set ${resourceName} of ${projectName} to ${wanted}`
}

const aroundCommand = (
  place: LimitPlace,
  { resourceName, overrides }: Pick<DefaultWrite, 'resourceName' | 'overrides'>,
  { from, to, value }: { from: 'seen' | 'wanted'; to: 'seen' | 'wanted'; value: number },
): Encoded<'shell'> =>
  joinEncoded(
    [
      ...overrides
        .filter((each) => each[from] !== null)
        .map((each) => ownCommand(place, each, each[from], null)),
      sh`openstack registered limit set --default-limit ${value} ${registeredId(place, resourceName)}`,
      ...overrides.filter((each) => each[to] !== null).map((each) => ownCommand(place, each, null, each[to])),
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
export const setRegisteredStep = (place: LimitPlace, write: DefaultWrite): LimitStep => {
  const { resourceName, seen, wanted, overrides } = write
  const stepId = `set-registered-limit/${resourceName}`
  const held = overrides.filter((each) => each.seen !== null)
  const back = overrides.filter((each) => each.wanted !== null)
  return {
    id: stepId,
    title: `Set the default of ${resourceName} from ${seen} to ${wanted}${held.length === 0 ? '' : `, around ${plural(held.length, 'limit of a project', 'limits of projects')}`}`,
    doer: 'console',
    calls: [
      http`GET /v3/registered_limits`,
      ...ownCalls(
        place,
        held.map((each) => ({ ...each, wanted: null })),
      ),
      http`PATCH /v3/registered_limits/{${httpPart(resourceName)}} ${httpBody({ registered_limit: { default_limit: wanted } })}`,
      ...(back.length === 0
        ? []
        : ownCalls(
            place,
            back.map((each) => ({ ...each, seen: null })),
          ).slice(1)),
    ],
    command: aroundCommand(place, write, { from: 'seen', to: 'wanted', value: wanted }),
    undoCommand: aroundCommand(place, write, { from: 'wanted', to: 'seen', value: seen }),
    sees: `The default is ${seen}${
      held.length === 0
        ? ''
        : `; ${listText(
            held.map(({ projectName, seen: value }) => `${projectName} ${value}`),
            8,
          )}`
    }.`,
    precondition:
      'The default and the limits of projects on it are still what the plan saw, and no other project has one.',
    check: `GET /v3/registered_limits/{${resourceName}} says ${wanted}, and every limit of a project is there again.`,
    undo: `Writes ${seen} back in the same way, and the limits of projects as the plan saw them.`,
    task: { kind: 'set-registered-limit', stepId, place, resourceName, seen, wanted, overrides },
  }
}

/** Lets Nova's user read the limits of all projects. */
export const grantRoleStep = ({ id, name }: { id: string; name: string }, role = 'reader'): LimitStep => ({
  id: `grant-system-role/${id}`,
  title: `Give ${name} the role ${role} on the system`,
  doer: 'console',
  calls: [
    http`GET /v3/system/users/${httpPart(id)}/roles`,
    http`PUT /v3/system/users/${httpPart(id)}/roles/{${httpPart(role)}}`,
  ],
  command: sh`openstack role add ${shellOption(sh`--user`, id)} --system all ${shellWord(role)}`,
  undoCommand: sh`openstack role remove ${shellOption(sh`--user`, id)} --system all ${shellWord(role)}`,
  sees: `${name} (${id}) has no role ${role} on the system.`,
  precondition: 'The user and the role are still there.',
  check: `GET /v3/system/users/${id}/roles names ${role}.`,
  undo: 'Takes the role away again. While Nova uses unified limits it makes no server without it.',
  task: { kind: 'grant-system-role', userId: id, userName: name, role },
})
