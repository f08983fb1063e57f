import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { HostAggregate } from '@/lib/domain/cloud/types'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpBody } from '@/lib/util/encode/http'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { membership, seenText } from './flavor-steps'
import type { FlavorStep, ValueChange } from './tasks'

/** Creates an empty aggregate without a zone. */
export const createAggregateStep = (aggregate: string): FlavorStep => ({
  id: `create-aggregate/${aggregate}`,
  title: `Create the aggregate ${aggregate}`,
  doer: 'console',
  calls: [http`POST /os-aggregates ${httpBody({ aggregate: { name: aggregate } })}`],
  command: sh`openstack aggregate create ${shellOperands([aggregate])}`,
  undoCommand: sh`openstack aggregate delete ${shellOperands([aggregate])}`,
  sees: `Nova has no aggregate ${aggregate}.`,
  precondition: 'None: an existing aggregate of that name is used.',
  check: `GET /os-aggregates lists ${aggregate}.`,
  undo: 'Deletes the aggregate if this change created it and it has no other host or property.',
  task: { kind: 'create-aggregate', aggregate },
})

const hostCommand = (
  aggregate: string,
  changes: readonly ValueChange[],
  side: 'seen' | 'wanted',
): Encoded<'shell'> =>
  joinEncoded(
    changes.map(
      ({ key, [side]: value }) =>
        sh`openstack aggregate ${value === null ? sh`remove` : sh`add`} host ${shellOperands([aggregate, key])}`,
    ),
    '\n',
  )

/** Puts hosts into an aggregate; those that are in it stay. */
export const aggregateHostsStep = (aggregate: string, changes: readonly ValueChange[]): FlavorStep => ({
  id: `set-aggregate-hosts/${aggregate}`,
  title: `Add ${formatNoun(changes.length, 'host')} to the aggregate ${aggregate}`,
  doer: 'console',
  calls: changes.map(
    ({ key }) => http`POST /os-aggregates/<id>/action ${httpBody({ add_host: { host: key } })}`,
  ),
  command: hostCommand(aggregate, changes, 'wanted'),
  undoCommand: hostCommand(aggregate, changes, 'seen'),
  sees: `Not in ${aggregate}: ${changes.map(({ key }) => key).join(', ')}.`,
  precondition: 'The aggregate exists. Nova copies it to the root providers of the hosts in Placement.',
  check: `GET /os-aggregates has ${changes.map(({ key }) => key).join(', ')} in ${aggregate}.`,
  undo: 'Removes these hosts. Other hosts are kept.',
  task: { kind: 'set-aggregate-hosts', aggregate, changes },
})

const propertyCommand = (
  aggregate: string,
  changes: readonly ValueChange[],
  side: 'seen' | 'wanted',
): Encoded<'shell'> => {
  const set = changes.flatMap(({ key, [side]: value }) =>
    value === null ? [] : [shellOption(sh`--property`, `${key}=${value}`)],
  )
  const unset = changes.flatMap(({ key, [side]: value }) =>
    value === null ? [shellOption(sh`--property`, key)] : [],
  )
  return joinEncoded(
    [
      ...(set.length === 0
        ? []
        : [sh`openstack aggregate set ${joinEncoded(set, ' ')} ${shellOperands([aggregate])}`]),
      ...(unset.length === 0
        ? []
        : [sh`openstack aggregate unset ${joinEncoded(unset, ' ')} ${shellOperands([aggregate])}`]),
    ],
    '\n',
  )
}

/** Writes properties of an aggregate; the rest stays. */
export const aggregatePropertiesStep = (aggregate: string, changes: readonly ValueChange[]): FlavorStep => {
  const metadata = Object.fromEntries(changes.map(({ key, wanted }) => [key, wanted]))
  return {
    id: `set-aggregate-properties/${aggregate}`,
    title: `Write ${changes.map(({ key, wanted }) => `${key}=${wanted}`).join(', ')} to the aggregate ${aggregate}`,
    doer: 'console',
    calls: [http`POST /os-aggregates/<id>/action ${httpBody({ set_metadata: { metadata } })}`],
    command: propertyCommand(aggregate, changes, 'wanted'),
    undoCommand: propertyCommand(aggregate, changes, 'seen'),
    sees: `Of ${aggregate}: ${seenText(changes)}.`,
    precondition: 'Each of these properties is unchanged since planning.',
    check: `GET /os-aggregates has them in ${aggregate}.`,
    undo: 'Restores the state at planning. Other properties are kept.',
    task: { kind: 'set-aggregate-properties', aggregate, changes },
  }
}

/** An aggregate that a flavor is tied to: made if it is not there, else added to. */
export type AggregateInput = {
  name: string
  /** Names of nova-compute services to add to the existing ones. */
  hosts: readonly string[]
  properties: Readonly<Record<string, string>>
}

/**
 * Adds the group_policy of the flavors of an aggregate to its properties: AggregateInstanceExtraSpecsFilter searches the
 * properties for every extra spec without a scope (nova/scheduler/filters/aggregate_instance_extra_specs.py), and one
 * property may list several values.
 */
export const withGroupPolicy = (
  { input }: Fleet,
  requested: AggregateInput,
  flavors: readonly Readonly<Record<string, string>>[],
): AggregateInput => {
  const policies = flavors.flatMap(({ group_policy: policy }) => policy ?? [])
  if (policies.length === 0 || Object.keys(requested.properties).length === 0) return requested
  const found = input.facts.aggregates.value?.find(({ name }) => name === requested.name)
  const listed = (requested.properties.group_policy ?? found?.metadata.group_policy ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const all = [...new Set([...listed, ...policies])]
  return { ...requested, properties: { ...requested.properties, group_policy: all.join(',') } }
}

type Drafted = { steps: readonly FlavorStep[]; reason: string | null }

const refused = (reason: string): Drafted => ({ steps: [], reason })

/** The steps that an aggregate takes to be as wanted, none where it is; or why that can't be planned. */
export const draftAggregate = ({ input }: Fleet, { name, hosts, properties }: AggregateInput): Drafted => {
  const { aggregates, services } = input.facts
  if (aggregates.value === null) return refused(`Nova’s aggregates could not be read: ${aggregates.error}`)
  if (services.value === null) return refused(`Nova’s services could not be read: ${services.error}`)
  const computes = new Set(services.value.map(({ host }) => host))
  const stranger = hosts.find((host) => !computes.has(host))
  if (stranger !== undefined) return refused(`Nova has no nova-compute service on ${stranger}`)
  const found = aggregates.value.find((aggregate) => aggregate.name === name)
  const missing = hosts.filter((host) => found?.hosts.includes(host) !== true)
  const changes = Object.entries(properties)
    .map(([key, wanted]) => ({ key, seen: found?.metadata[key] ?? null, wanted }))
    .filter(({ seen, wanted }) => seen !== wanted)
  return {
    steps: [
      ...(found === undefined ? [createAggregateStep(name)] : []),
      ...(missing.length === 0 ? [] : [aggregateHostsStep(name, membership(missing, true))]),
      ...(changes.length === 0 ? [] : [aggregatePropertiesStep(name, changes)]),
    ],
    reason: null,
  }
}

const added = (
  found: HostAggregate | undefined,
  { name, hosts, properties }: AggregateInput,
): HostAggregate => ({
  id: 0,
  uuid: '',
  availabilityZone: null,
  ...found,
  name,
  hosts: [...new Set([...(found?.hosts ?? []), ...hosts])],
  metadata: { ...found?.metadata, ...properties },
})

/** The fleet with an aggregate as it would be, so that it can be asked what lands there. */
export const withAggregate = (fleet: Fleet, input: AggregateInput): Fleet => {
  const { facts } = fleet.input
  const { aggregates } = facts
  if (aggregates.value === null) return fleet
  const found = aggregates.value.find(({ name }) => name === input.name)
  const value = [...aggregates.value.filter((one) => one !== found), added(found, input)]
  return joinFleet({ ...fleet.input, facts: { ...facts, aggregates: { ...aggregates, value } } })
}
