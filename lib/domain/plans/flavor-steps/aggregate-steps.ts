import { plural } from '@/lib/domain/wording'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpBody } from '@/lib/util/encode/http'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { seenWords } from './flavor-steps'
import type { FlavorStep, ValueChange } from './tasks'

/** Creates an empty aggregate without a zone. */
export const createAggregateStep = (aggregate: string): FlavorStep => ({
  id: `create-aggregate/${aggregate}`,
  title: `Make the aggregate ${aggregate}`,
  doer: 'console',
  calls: [http`POST /os-aggregates ${httpBody({ aggregate: { name: aggregate } })}`],
  command: sh`openstack aggregate create ${shellOperands([aggregate])}`,
  undoCommand: sh`openstack aggregate delete ${shellOperands([aggregate])}`,
  sees: `Nova has no aggregate ${aggregate}.`,
  precondition: 'None: an aggregate of that name that somebody makes meanwhile is taken as it is.',
  check: `GET /os-aggregates lists ${aggregate}.`,
  undo: 'Deletes the aggregate if this change made it and nobody has put a host or a property into it.',
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
  title: `Put ${plural(changes.length, 'host', 'hosts')} into the aggregate ${aggregate}`,
  doer: 'console',
  calls: changes.map(
    ({ key }) => http`POST /os-aggregates/<id>/action ${httpBody({ add_host: { host: key } })}`,
  ),
  command: hostCommand(aggregate, changes, 'wanted'),
  undoCommand: hostCommand(aggregate, changes, 'seen'),
  sees: `Not in ${aggregate}: ${changes.map(({ key }) => key).join(', ')}.`,
  precondition: 'The aggregate is there. Nova tells Placement, for the hosts’ root providers.',
  check: `GET /os-aggregates has ${changes.map(({ key }) => key).join(', ')} in ${aggregate}.`,
  undo: 'Takes these hosts out again; others stay.',
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
    title: `Write ${changes.map(({ key, wanted }) => `${key}=${wanted}`).join(', ')} into the aggregate ${aggregate}`,
    doer: 'console',
    calls: [http`POST /os-aggregates/<id>/action ${httpBody({ set_metadata: { metadata } })}`],
    command: propertyCommand(aggregate, changes, 'wanted'),
    undoCommand: propertyCommand(aggregate, changes, 'seen'),
    sees: `Of ${aggregate}: ${seenWords(changes)}.`,
    precondition: 'Each of these properties is still what the plan saw.',
    check: `GET /os-aggregates has them in ${aggregate}.`,
    undo: 'Writes back what the plan saw. Properties of others stay.',
    task: { kind: 'set-aggregate-properties', aggregate, changes },
  }
}
