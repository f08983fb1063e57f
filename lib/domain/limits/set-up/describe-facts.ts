import { type ApiQuota, isUnified, osloLimitFaults } from '@/lib/domain/cloud/api-quota'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { answerLabel, DRIVER_CHECK, type EnteredDriver, knownDriver } from '@/lib/domain/cloud/known-driver'
import { releaseNames } from '@/lib/domain/nova-config/nova-releases'
import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellOption, shellProgram } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { ownLimits } from '../effective-limit'
import { type LimitView, quotaDriverLines } from '../limit-view'
import type { DriverVerdict } from './judge-driver'
import type { NeededLimit } from './needed-limits'

/** `open`: something must be done. `check`: the command for a manual check, where the console cannot check. */
type SetUpFact = {
  id: string
  title: string
  state: 'good' | 'open' | 'unknown'
  reported: string
  check: Encoded<'shell'> | null
}

const rowsOf = (fleet: Fleet, view: LimitView): string[] => [
  ...[...view.effective.values()]
    .filter(({ defaultLimit }) => defaultLimit === -1)
    .map(({ resourceName }) => `the default of ${resourceName}`),
  ...[...(ownLimits(view) ?? [])].flatMap(([projectId, limits]) =>
    [...limits.values()]
      .filter(({ resourceLimit }) => resourceLimit === -1)
      .map(({ resourceName }) => `${resourceName} of ${fleet.projects.get(projectId)?.name ?? projectId}`),
  ),
]

/**
 * Limits of -1 that Nova finds, where this release does not take them for "no limit" (nova/limit/utils.py should_enforce);
 * null: there is none.
 */
const describeMinusOne = (fleet: Fleet, view: LimitView): SetUpFact | null => {
  const rows = view.isUnlimitedKnown === true ? [] : rowsOf(fleet, view)
  if (rows.length === 0) return null
  const isKnown = view.isUnlimitedKnown === false
  const reported = `${listText(rows, 4)} ${rows.length === 1 ? 'is' : 'are'} -1`
  return {
    id: 'minus-one',
    title: 'Limits of -1',
    state: isKnown ? 'open' : 'unknown',
    reported: isKnown
      ? `${reported}, and this release does not treat -1 as unlimited, so Nova refuses every request: set a high number instead`
      : `${reported}; from 2025.1 on, -1 means unlimited, and earlier releases refuse every request`,
    check: isKnown ? null : sh`nova-manage --version`,
  }
}

type Input = {
  fleet: Fleet
  view: LimitView
  needed: readonly NeededLimit[]
  driver: DriverVerdict
  endpointId: string | null
  /** What agents on hosts of Nova's API read. */
  apis: readonly ApiQuota[]
  /** A domain ID of null: any domain. Roles of null are unknown, and `because` states why. */
  user: {
    name: string
    domainId: string | null
    mayRead: boolean
    roles: readonly string[] | null
    because: string | null
  }
}

const release = ({ fleet, view }: Input): SetUpFact => {
  const version = fleet.input.facts.versions.nova
  const rules =
    view.isUnlimitedKnown === true
      ? '-1 means unlimited, and most unregistered resources are unlimited'
      : '-1 is used as a number, and unregistered resources are 0'
  return {
    id: 'release',
    title: 'Release',
    state: view.isUnlimitedKnown === null ? 'unknown' : 'good',
    reported:
      version === null
        ? 'Nova has not reported its version'
        : `${releaseNames(version) ?? 'Nova'}, by compute API ${version}: ${rules}`,
    check: version === null ? sh`nova-manage --version` : null,
  }
}

const CONF_LIMIT = shellProgram`grep -A9 '^\[oslo_limit\]' /etc/nova/nova.conf   # where nova-api and nova-conductor run`

const driverLine = ({ host, driver, isSilent }: ApiQuota): string =>
  `${host}: ${driver === null ? 'not set, so Nova’s own' : `${driver.value} (${driver.source})`}${isSilent ? ', and is silent' : ''}`

const DRIVER = { id: 'driver', title: 'Quota driver' }

/** nova.conf takes effect when nova-api has read it: if its answers differ, they count. */
const driverByAgents = ({ fleet, driver, apis }: Input): SetUpFact => {
  const { contradiction } = knownDriver(fleet)
  const reported = `Reported by the hosts of Nova’s API: ${listText(apis.map(driverLine), 3)}`
  const isSet = apis.every(isUnified)
  const isProven = driver.driver === 'legacy'
  const answer = isSet && isProven ? `; ${driver.reported}: restart nova-api` : `. ${driver.reported}`
  return {
    ...DRIVER,
    state: isSet && !isProven ? 'good' : 'open',
    reported: `${reported}${answer}${contradiction === null ? '' : `. ${contradiction}`}`,
    check: null,
  }
}

const hostsAside = ({ fleet, apis }: Input): string => {
  if (apis.length > 0) return `. Before that, ${listText(apis.map(driverLine), 3)}`
  const lines = quotaDriverLines(fleet)
  return lines.length === 0
    ? ''
    : `. nova.conf of ${listText(lines, 3)}; it applies where nova-api reads that file`
}

/** An answer is valid until Nova's own values prove another driver. */
const driverByAnswer = (input: Input, entered: EnteredDriver): SetUpFact => {
  const { driver } = input
  const isAgainst = driver.driver !== null && driver.driver !== entered.driver
  return {
    ...DRIVER,
    state: (driver.driver ?? entered.driver) === 'unified' ? 'good' : 'open',
    reported: isAgainst
      ? `${driver.reported}. This contradicts an answer: ${answerLabel(entered)}${hostsAside(input)}`
      : `${answerLabel(entered)}. ${driver.reported}${hostsAside(input)}`,
    check: isAgainst ? DRIVER_CHECK : null,
  }
}

const driverFact = (input: Input): SetUpFact => {
  const { fleet, driver, apis } = input
  const entered = fleet.input.quotaDriver ?? null
  if (entered !== null && knownDriver(fleet).source === 'answer') return driverByAnswer(input, entered)
  if (apis.length > 0) return driverByAgents(input)
  return {
    ...DRIVER,
    state: driver.driver === 'unified' ? 'good' : driver.driver === 'legacy' ? 'open' : 'unknown',
    reported: `${driver.reported}${hostsAside(input)}`,
    check: driver.driver === 'unified' ? null : DRIVER_CHECK,
  }
}

const osloLimit = ({ endpointId, apis, user }: Input): SetUpFact => {
  const title = '[oslo_limit]'
  const id = 'oslo-limit'
  if (apis.length === 0)
    return {
      id,
      title,
      state: 'unknown',
      reported: `No agent reports from a host of Nova’s API, and no API exposes the section. Its endpoint_id should be ${endpointId ?? 'the id of Nova’s public endpoint'}`,
      check: CONF_LIMIT,
    }
  const faults = apis.flatMap((api) =>
    osloLimitFaults(api, { endpointId, user: user.name }).map((fault) => `${api.host}: ${fault}`),
  )
  const names = listText(
    apis.map(({ host, userName }) => `${host} as ${userName?.value ?? 'the user of another section'}`),
    3,
  )
  return {
    id,
    title,
    state: faults.length === 0 ? 'good' : 'open',
    reported:
      faults.length === 0
        ? `The section names Nova’s endpoint. Reported by agents: ${names}. The password is verified when the next server is created`
        : listText(faults, 4),
    check: null,
  }
}

const model = ({ view }: Input): SetUpFact => {
  const { model: name } = view.limits
  return {
    id: 'model',
    title: 'Enforcement model',
    state: name === 'flat' ? 'good' : 'open',
    reported:
      name === 'flat'
        ? 'Keystone reports flat, the model that Nova supports'
        : `Keystone reports ${name}, but Nova supports only flat: set enforcement_model = flat in [unified_limit] of keystone.conf`,
    check: null,
  }
}

const region = ({ view, needed }: Input): SetUpFact => {
  const { novaRegionId } = view.limits
  const stray = needed.filter(({ withoutRegion }) => withoutRegion !== null)
  return {
    id: 'region',
    title: 'Region',
    state: stray.length === 0 ? 'good' : 'open',
    reported:
      stray.length === 0
        ? `Nova reads limits in ${novaRegionId ?? 'no region'}, the region of its endpoint`
        : `Nova reads limits in ${novaRegionId}; ${formatNoun(stray.length, 'limit has', 'limits have')} no region and ${stray.length === 1 ? 'is' : 'are'} never read: ${listText(
            stray.map(({ resourceName }) => resourceName),
            4,
          )}`,
    check: null,
  }
}

const userDomain = ({ domainId }: Input['user']): Encoded<'shell'> =>
  domainId === null ? sh`` : sh` ${shellOption(sh`--user-domain`, domainId)}`

const role = ({ user }: Input): SetUpFact => ({
  id: 'role',
  title: 'Role of Nova’s user',
  state: user.roles === null ? 'unknown' : user.mayRead ? 'good' : 'open',
  reported:
    user.roles === null
      ? (user.because ?? 'Keystone returned no roles')
      : user.mayRead
        ? `${user.name} has ${listText(user.roles)} on the system`
        : `${user.name} has ${user.roles.length === 0 ? 'no role' : listText(user.roles)} on the system; the role reader is required to read the limits of all projects`,
  check:
    user.roles === null
      ? sh`openstack role assignment list ${shellOption(sh`--user`, user.name)}${userDomain(user)} --system all --names`
      : null,
})

const registered = ({ needed }: Input): SetUpFact => {
  const missing = needed.filter((each) => each.registered === null && each.means.kind !== 'unlimited')
  return {
    id: 'registered',
    title: 'Registered limits',
    state: missing.length === 0 ? 'good' : 'open',
    reported:
      missing.length === 0
        ? `${formatNoun(needed.filter((each) => each.registered !== null).length, 'name')} that Nova requests are registered`
        : `${formatNoun(missing.length, 'name')} that Nova requests ${missing.length === 1 ? 'is' : 'are'} not registered: ${listText(
            missing.map(({ resourceName }) => resourceName),
            5,
          )}`,
    check: null,
  }
}

/** The state of a cloud's migration to unified limits: each fact with its evidence, or the command to check it. */
export const describeFacts = (input: Input): SetUpFact[] => {
  const facts = [release, driverFact, osloLimit, model, region, role, registered].map((each) => each(input))
  const minusOne = describeMinusOne(input.fleet, input.view)
  return minusOne === null ? facts : [...facts, minusOne]
}
