import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { listText } from '@/lib/domain/wording'
import type { Encoded } from '@/lib/util/encode/encoded'
import { http, httpBody, httpPart } from '@/lib/util/encode/http'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import type { StepCall } from '../step'
import type { StuckServer } from './stuck-servers'
import type { CardTask, HostStep, MovedServer, VerifyTask } from './tasks'

const LONGEST_REASON = 255

/** Why the host is closed, as Nova keeps it; by it the console knows its own hand again. */
export const closedReason = (title: string): string => `Sliceboard: ${title}`.slice(0, LONGEST_REASON)

const serviceOf = ({ service, host }: JoinedHost) => ({
  id: service.value === null ? http`<id of the service>` : httpPart(service.value.id),
  name: service.value?.host ?? host.name,
})

/** Why a host is closed, and what holds once it opens again. */
type Held = {
  reason: string
  verify: readonly VerifyTask[]
  cards?: readonly CardTask[]
  moves?: readonly MovedServer[]
}

/** Nova schedules nothing new to the host; running servers are unaffected. */
export const closeStep = (joined: JoinedHost, held: Held): HostStep => {
  const { reason } = held
  const { id, name } = serviceOf(joined)
  const host = joined.host.name
  return {
    id: `close-service/${host}`,
    title: `Disable scheduling on ${host}`,
    doer: 'console',
    calls: [http`PUT /os-services/${id} ${httpBody({ status: 'disabled', disabled_reason: reason })}`],
    command: sh`close_host ${shellWord(name)} ${shellWord(reason)}`,
    undoCommand: sh`open_host ${shellWord(name)} ${shellWord(reason)}`,
    sees: `nova-compute of ${name} is enabled and up.`,
    precondition: 'nova-compute is up and was not disabled by others.',
    check: `GET /os-services reports nova-compute of ${name} as disabled.`,
    undo: 'Enables it, unless it was disabled for another reason.',
    task: { kind: 'close-service', host, service: name, ...held },
  }
}

/** The last step: everything is checked once more before the host takes servers again. */
export const openStep = (joined: JoinedHost, held: Held): HostStep => {
  const { reason } = held
  const { id, name } = serviceOf(joined)
  const host = joined.host.name
  return {
    id: `open-service/${host}`,
    title: `Enable scheduling on ${host}`,
    doer: 'console',
    calls: [http`PUT /os-services/${id} ${httpBody({ status: 'enabled' })}`],
    command: sh`open_host ${shellWord(name)} ${shellWord(reason)}`,
    undoCommand: sh`close_host ${shellWord(name)} ${shellWord(reason)}`,
    sees: `nova-compute of ${name} was enabled before the change.`,
    precondition: 'Hardware, nova.conf and Placement agree on the new type, nova-compute is up.',
    check: `GET /os-services reports nova-compute of ${name} as enabled.`,
    undo: 'Disables scheduling again before other steps are reverted.',
    task: { kind: 'open-service', host, service: name, ...held },
  }
}

/**
 * The end after a test boot. A failed test disables its host. A person who then skips the test has decided that the host
 * is usable, and can skip this step too to keep it disabled.
 */
export const reopenStep = (open: HostStep): HostStep => {
  const host = open.id.replace('open-service/', '')
  return {
    ...open,
    id: `reopen-service/${host}`,
    title: `Check that scheduling is enabled on ${host} after its test`,
    sees: `A failed test disables scheduling on ${host}. After a successful test, there is nothing to do.`,
    precondition: `${open.precondition} Skip the step to keep scheduling disabled.`,
  }
}

const CALLS: Readonly<Record<StuckServer['way'], (uuid: string) => StepCall[]>> = {
  live: (uuid) => [
    http`POST /servers/${httpPart(uuid)}/action {"os-migrateLive": {"host": null, "block_migration": "auto"}}`,
    http`GET /servers/${httpPart(uuid)}`,
  ],
  cold: (uuid) => [
    http`POST /servers/${httpPart(uuid)}/action {"migrate": null}`,
    http`POST /servers/${httpPart(uuid)}/action {"confirmResize": null}`,
    http`GET /servers/${httpPart(uuid)}`,
  ],
  owner: (uuid) => [http`GET /servers/${httpPart(uuid)}`],
}

const commandFor = (way: StuckServer['way'], uuid: string, host: string): Encoded<'shell'> =>
  sh`${way === 'owner' ? sh`await_away` : sh`move_server ${shellWord(way)}`} ${shellArguments([uuid, host])}`

const TITLES: Readonly<Record<StuckServer['way'], string>> = {
  live: 'Live-migrate',
  cold: 'Cold-migrate',
  owner: 'Wait for',
}

/** One server leaves the host. It stays on its new host when the change is reverted. */
export const drainStep = (
  joined: JoinedHost,
  {
    server,
    typeName,
    plannedAt,
    support,
  }: {
    server: StuckServer
    typeName: string
    plannedAt: string
    /** Whether Nova's release supports the move with vGPUs, as a sentence; null: nothing to state. */
    support: string | null
  },
): HostStep => {
  const { name: service } = serviceOf(joined)
  const { host } = joined.host.name === server.host ? server : { host: joined.host.name }
  const { serverUuid, name, projectName: owner, way, to, because, status, address } = server
  return {
    id: `drain-server/${serverUuid}`,
    title: `${TITLES[way]} ${name} of ${owner}`,
    doer: 'console',
    calls: CALLS[way](serverUuid),
    command: commandFor(way, serverUuid, service),
    undoCommand: sh`:`,
    sees: `${name} (${serverUuid}) of project ${owner} is ${status} and holds a vGPU of ${typeName} on ${host} ${address}.${because === null ? '' : ` Not by live migration: ${because}.`}`,
    precondition:
      way === 'owner'
        ? 'The owner deletes, shelves or migrates the server.'
        : `Scheduling is disabled on ${host}. ${listText(to, 6)} ${to.length === 1 ? 'has' : 'have'} capacity now.${support === null ? '' : ` ${support}`}`,
    check: `Nova reports the server on another host, or no longer has it.`,
    undo: 'None: the server stays on its new host.',
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
