import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellOperands, shellOption, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import type { FlavorStep, NewFlavorFacts } from './tasks'
import { MEMBER, type ValueChange } from './tasks'

type Named = { flavorId: string; flavorName: string }

const valueText = (value: string | null): string => (value === null ? 'nothing' : `"${value}"`)

/** `a="1", b is not there`. */
export const seenText = (changes: readonly ValueChange[]): string =>
  changes.map(({ key, seen }) => (seen === null ? `${key} is not there` : `${key}="${seen}"`)).join(', ')

const written = (changes: readonly ValueChange[], side: 'seen' | 'wanted') =>
  Object.fromEntries(
    changes.flatMap(({ key, [side]: value }) => (value === null ? [] : [[key, value] as const])),
  )

const dropped = (changes: readonly ValueChange[], side: 'seen' | 'wanted'): string[] =>
  changes.filter((change) => change[side] === null).map(({ key }) => key)

const createCommand = (flavorId: string, flavor: NewFlavorFacts): Encoded<'shell'> =>
  joinEncoded(
    [
      sh`openstack flavor create`,
      shellOption(sh`--id`, flavorId),
      sh`--vcpus ${flavor.vcpus} --ram ${flavor.memoryMib} --disk ${flavor.diskGib}`,
      flavor.isPublic ? sh`--public` : sh`--private`,
      ...(flavor.description === null ? [] : [sh`--description=${shellWord(flavor.description)}`]),
      shellOperands([flavor.name]),
    ],
    ' ',
  )

/** Creates a flavor without extra specs under a known id, so that it can be found after a crash. */
export const createFlavorStep = (flavorId: string, flavor: NewFlavorFacts): FlavorStep => {
  const body = {
    id: flavorId,
    name: flavor.name,
    description: flavor.description,
    vcpus: flavor.vcpus,
    ram: flavor.memoryMib,
    disk: flavor.diskGib,
    'os-flavor-access:is_public': flavor.isPublic,
  }
  return {
    id: `create-flavor/${flavorId}`,
    title: `Create the flavor ${flavor.name}`,
    doer: 'console',
    calls: [http`POST /flavors ${httpBody({ flavor: body })}`],
    command: createCommand(flavorId, flavor),
    undoCommand: sh`openstack flavor delete ${shellOperands([flavorId])}`,
    sees: `Nova has no flavor ${flavor.name}.`,
    precondition: 'The name and the id are still free.',
    check: `GET /flavors/${flavorId} is ${flavor.name}.`,
    undo: 'Deletes the flavor. Servers that were created from it keep their copy.',
    task: { kind: 'create-flavor', flavorId, flavor },
  }
}

const propertyText = (entries: Readonly<Record<string, string>>): Encoded<'shell'> =>
  joinEncoded(
    Object.entries(entries).map(([key, value]) => shellOption(sh`--property`, `${key}=${value}`)),
    ' ',
  )

const specsCommand = (
  flavorId: string,
  changes: readonly ValueChange[],
  side: 'seen' | 'wanted',
): Encoded<'shell'> => {
  const set = written(changes, side)
  const unset = dropped(changes, side)
  const unsetOptions = joinEncoded(
    unset.map((key) => shellOption(sh`--property`, key)),
    ' ',
  )
  return joinEncoded(
    [
      ...(Object.keys(set).length === 0
        ? []
        : [sh`openstack flavor set ${propertyText(set)} ${shellOperands([flavorId])}`]),
      ...(unset.length === 0
        ? []
        : [sh`openstack flavor unset ${unsetOptions} ${shellOperands([flavorId])}`]),
    ],
    '\n',
  )
}

const specsTitle = ({ flavorName }: Named, changes: readonly ValueChange[]): string => {
  const [only] = changes
  if (only === undefined || changes.length > 1)
    return `Write ${formatNoun(changes.length, 'extra spec')} of ${flavorName}`
  return only.wanted === null
    ? `Remove ${only.key} from ${flavorName}`
    : `Set ${only.key}=${only.wanted} in ${flavorName}`
}

/** Writes some extra specs of a flavor and takes others away; the rest stays. */
export const extraSpecsStep = (
  { flavorId, flavorName }: Named,
  changes: readonly ValueChange[],
): FlavorStep => {
  const path = http`/flavors/${httpPart(flavorId)}/os-extra_specs`
  const set = written(changes, 'wanted')
  return {
    id: `set-extra-specs/${flavorId}`,
    title: specsTitle({ flavorId, flavorName }, changes),
    doer: 'console',
    calls: [
      http`GET /flavors/${httpPart(flavorId)}`,
      ...(Object.keys(set).length === 0 ? [] : [http`POST ${path} ${httpBody({ extra_specs: set })}`]),
      ...dropped(changes, 'wanted').map((key) => http`DELETE ${path}/${httpPart(key)}`),
    ],
    command: specsCommand(flavorId, changes, 'wanted'),
    undoCommand: specsCommand(flavorId, changes, 'seen'),
    sees: `Of ${flavorName}: ${seenText(changes)}.`,
    precondition: 'Each of these extra specs is unchanged since planning.',
    check: `GET /flavors/${flavorId} has ${changes.map(({ key, wanted }) => `${key} ${valueText(wanted)}`).join(', ')}.`,
    undo: 'Restores the state at planning. Other extra specs are kept.',
    task: { kind: 'set-extra-specs', flavorId, flavorName, changes },
  }
}

/** Changes the only thing of a flavor itself that Nova lets be changed. */
export const describeFlavorStep = (
  { flavorId, flavorName }: Named,
  { seen, wanted }: Pick<ValueChange, 'seen' | 'wanted'>,
): FlavorStep => ({
  id: `describe-flavor/${flavorId}`,
  title: `Set the description of ${flavorName}`,
  doer: 'console',
  calls: [http`PUT /flavors/${httpPart(flavorId)} ${httpBody({ flavor: { description: wanted } })}`],
  command: sh`openstack flavor set --description=${shellWord(wanted ?? '')} ${shellOperands([flavorId])}`,
  undoCommand: sh`openstack flavor set --description=${shellWord(seen ?? '')} ${shellOperands([flavorId])}`,
  sees: `The description of ${flavorName}: ${valueText(seen)}.`,
  precondition: 'The description is unchanged since planning.',
  check: `GET /flavors/${flavorId} returns the description: ${valueText(wanted)}.`,
  undo: 'Restores the description at planning.',
  task: { kind: 'describe-flavor', flavorId, flavorName, changes: [{ key: 'description', seen, wanted }] },
})

const accessCommand = (
  flavorId: string,
  changes: readonly ValueChange[],
  side: 'seen' | 'wanted',
): Encoded<'shell'> =>
  joinEncoded(
    changes.map(
      ({ key, [side]: value }) =>
        sh`openstack flavor ${value === null ? sh`unset` : sh`set`} ${shellOption(sh`--project`, key)} ${shellOperands([flavorId])}`,
    ),
    '\n',
  )

/** Lets projects use a private flavor, and takes it from others. */
export const flavorAccessStep = (
  { flavorId, flavorName }: Named,
  {
    changes,
    projectNames,
  }: { changes: readonly ValueChange[]; projectNames: Readonly<Record<string, string>> },
): FlavorStep => {
  const nameOf = (id: string): string => projectNames[id] ?? id
  const names = (isIn: boolean): string =>
    changes
      .filter(({ wanted }) => (wanted !== null) === isIn)
      .map(({ key }) => nameOf(key))
      .join(', ')
  const [given, taken] = [names(true), names(false)]
  const words = [given === '' ? [] : `grant to ${given}`, taken === '' ? [] : `revoke from ${taken}`].flat()
  const listed = [given === '' ? [] : `lists ${given}`, taken === '' ? [] : `does not list ${taken}`].flat()
  return {
    id: `set-flavor-access/${flavorId}`,
    title: `Access to ${flavorName}: ${words.join(', ')}`,
    doer: 'console',
    calls: [
      http`GET /flavors/${httpPart(flavorId)}/os-flavor-access`,
      ...changes.map(({ key, wanted }) => {
        const action = wanted === null ? 'removeTenantAccess' : 'addTenantAccess'
        return http`POST /flavors/${httpPart(flavorId)}/action ${httpBody({ [action]: { tenant: key } })}`
      }),
    ],
    command: accessCommand(flavorId, changes, 'wanted'),
    undoCommand: accessCommand(flavorId, changes, 'seen'),
    sees: changes
      .map(({ key, seen }) => `${nameOf(key)} ${seen === null ? 'may not' : 'may'} use ${flavorName}.`)
      .join(' '),
    precondition: 'The flavor is still private.',
    check: `GET /flavors/${flavorId}/os-flavor-access ${listed.join(' and ')}.`,
    undo: 'Reverts the access that this step changed. Other projects are unaffected.',
    task: { kind: 'set-flavor-access', flavorId, flavorName, changes, projectNames },
  }
}

/** A change of being in or out. */
export const membership = (keys: readonly string[], isWanted: boolean): ValueChange[] =>
  keys.map((key) => ({ key, seen: isWanted ? null : MEMBER, wanted: isWanted ? MEMBER : null }))
