import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { listText } from '@/lib/domain/wording'
import type { CardTask } from '../passthrough/tasks'
import { shellQuote } from '../shell-quote'
import type { PlannedStep } from '../types'
import type { StuckServer } from './stuck-servers'
import type { MovedServer, VerifyTask } from './tasks'

const LONGEST_REASON = 255

/** Why the host is closed, as Nova keeps it; by it the console knows its own hand again. */
export const closedReason = (title: string): string => `Sliceboard: ${title}`.slice(0, LONGEST_REASON)

const serviceOf = ({ service, host }: JoinedHost) => ({
  id: service.value?.id ?? '<id of the service>',
  name: service.value?.host ?? host.name,
})

/** Why a host is closed, and what holds once it opens again. */
type Held = {
  reason: string
  verify: readonly VerifyTask[]
  cards?: readonly CardTask[]
  moves?: readonly MovedServer[]
}

/** Nova sends nothing new to the host; what runs there goes on. */
export const closeStep = (joined: JoinedHost, held: Held): PlannedStep => {
  const { reason } = held
  const { id, name } = serviceOf(joined)
  const host = joined.host.name
  return {
    id: `close-service/${host}`,
    title: `Close ${host} for new servers`,
    doer: 'console',
    calls: [`PUT /os-services/${id} ${JSON.stringify({ status: 'disabled', disabled_reason: reason })}`],
    command: `close_host ${shellQuote(name)} ${shellQuote(reason)}`,
    undoCommand: `open_host ${shellQuote(name)} ${shellQuote(reason)}`,
    sees: `nova-compute of ${name} is enabled and up.`,
    precondition: 'nova-compute is up, and nobody else has disabled it meanwhile.',
    check: `GET /os-services says that nova-compute of ${name} is disabled.`,
    undo: 'Enables it, unless somebody else has disabled it for another reason.',
    task: { kind: 'close-service', host, service: name, ...held },
  }
}

/** The last step: everything is looked at once more before the host takes servers again. */
export const openStep = (joined: JoinedHost, held: Held): PlannedStep => {
  const { reason } = held
  const { id, name } = serviceOf(joined)
  const host = joined.host.name
  return {
    id: `open-service/${host}`,
    title: `Open ${host} again`,
    doer: 'console',
    calls: [`PUT /os-services/${id} ${JSON.stringify({ status: 'enabled' })}`],
    command: `open_host ${shellQuote(name)} ${shellQuote(reason)}`,
    undoCommand: `close_host ${shellQuote(name)} ${shellQuote(reason)}`,
    sees: `nova-compute of ${name} was enabled before the change.`,
    precondition: 'Hardware, nova.conf and Placement agree on the new type, nova-compute is up.',
    check: `GET /os-services says that nova-compute of ${name} is enabled.`,
    undo: 'Closes the host again, before anything else is taken back.',
    task: { kind: 'open-service', host, service: name, ...held },
  }
}

/**
 * The end after a test boot. A test that fails closes its host: whoever then skips it has judged that the host is fit all
 * the same, and who wants it closed skips this step too.
 */
export const reopenStep = (open: PlannedStep): PlannedStep => {
  const host = open.id.replace('open-service/', '')
  return {
    ...open,
    id: `reopen-service/${host}`,
    title: `${host} is open after its test`,
    sees: `A test that fails closes ${host}; one that does not leaves it open, and then nothing is to do.`,
    precondition: `${open.precondition} Skip the step to leave the host closed.`,
  }
}

const CALLS: Readonly<Record<StuckServer['way'], (uuid: string) => string[]>> = {
  live: (uuid) => [
    `POST /servers/${uuid}/action {"os-migrateLive": {"host": null, "block_migration": "auto"}}`,
    `GET /servers/${uuid}`,
  ],
  cold: (uuid) => [
    `POST /servers/${uuid}/action {"migrate": null}`,
    `POST /servers/${uuid}/action {"confirmResize": null}`,
    `GET /servers/${uuid}`,
  ],
  owner: (uuid) => [`GET /servers/${uuid}`],
}

const commandFor = (way: StuckServer['way'], uuid: string, host: string): string =>
  `${way === 'owner' ? 'await_away' : `move_server ${way}`} ${uuid} ${shellQuote(host)}`

const TITLES: Readonly<Record<StuckServer['way'], string>> = {
  live: 'Live-migrate',
  cold: 'Cold-migrate',
  owner: 'Wait for',
}

/** One server leaves the host. What moved away stays where it is when the change is taken back. */
export const drainStep = (
  joined: JoinedHost,
  { server, typeName, plannedAt }: { server: StuckServer; typeName: string; plannedAt: string },
): PlannedStep => {
  const { name: service } = serviceOf(joined)
  const { host } = joined.host.name === server.host ? server : { host: joined.host.name }
  const { serverUuid, name, projectName: owner, way, to, because, status, address } = server
  return {
    id: `drain-server/${serverUuid}`,
    title: `${TITLES[way]} ${name} of ${owner}`,
    doer: 'console',
    calls: CALLS[way](serverUuid),
    command: commandFor(way, serverUuid, service),
    undoCommand: ':',
    sees: `${name} (${serverUuid}) of project ${owner} is ${status} and holds a vGPU of ${typeName} on ${host} ${address}.${because === null ? '' : ` Not by live migration: ${because}.`}`,
    precondition:
      way === 'owner'
        ? 'Its owner deletes, shelves or moves it.'
        : `${host} is closed, so that it goes elsewhere: ${listText(to, 6)} ${to.length === 1 ? 'has' : 'have'} room now.`,
    check: `Nova has it on another host, or not at all.`,
    undo: 'None: the server stays where it went.',
    task: {
      kind: 'drain-server',
      host,
      service,
      serverUuid,
      serverName: name,
      owner,
      typeName,
      way,
      plannedAt,
    },
  }
}
