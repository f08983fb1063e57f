import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Server } from '@/lib/domain/cloud/types'
import { ordinaryServers } from '@/lib/domain/headroom/gpu-headroom'
import { type HeadroomLine, headroomFor, shortOf } from '@/lib/domain/headroom/headroom-lines'
import { type PlainAmounts, sumNeeds } from '@/lib/domain/headroom/plain-needs'
import { drainStep } from '../host-steps/service-steps'
import type { WayOut } from '../host-steps/tasks'
import type { ReservationMove } from './preview'
import type { ReservationStep } from './tasks'

type Movable = { server: Server; needs: PlainAmounts }

/** Lines once these servers are gone. */
const freed = (lines: readonly HeadroomLine[], gone: readonly Movable[]): HeadroomLine[] => {
  const sum = sumNeeds(gone.map(({ needs }) => ({ needs, count: 1 })))
  return lines.map((line) => {
    const used = Math.max(0, line.used - sum[line.name])
    return { ...line, used, free: Math.max(0, line.capacity - used) }
  })
}

const MOVABLE = new Set(['ACTIVE', 'PAUSED', 'SHUTOFF'])

/**
 * The smallest set of ordinary servers to move so that one server of a size fits, those first that use most of the
 * missing resource. Empty: it fits already. Null: it does not fit even without all of them.
 */
export const serversToMove = (
  fleet: Fleet,
  joined: JoinedHost,
  { lines, needs }: { lines: readonly HeadroomLine[]; needs: PlainAmounts },
): Movable[] | null => {
  if (headroomFor(lines, needs) > 0) return []
  const short = shortOf(lines, needs)
  const weight = ({ needs: held }: Movable): number =>
    Math.min(...short.map((name) => held[name] / needs[name]))
  const all = ordinaryServers(fleet, joined)
    .filter(({ server }) => MOVABLE.has(server.status) && server.taskState === null)
    .toSorted((a, b) => weight(b) - weight(a) || (a.server.uuid < b.server.uuid ? -1 : 1))
  const count = all.findIndex((_, index) => headroomFor(freed(lines, all.slice(0, index + 1)), needs) > 0)
  return count === -1 ? null : all.slice(0, count + 1)
}

const wayOf = ({ status }: Server): WayOut => (status === 'SHUTOFF' ? 'cold' : 'live')

export const moveOf = (fleet: Fleet, { server, needs }: Movable): ReservationMove => ({
  serverUuid: server.uuid,
  name: server.name,
  projectName: fleet.projects.get(server.projectId)?.name ?? server.projectId,
  flavorName: server.flavorName,
  needs,
})

/** One ordinary server leaves the host; Nova chooses where it goes. */
export const moveStep = (fleet: Fleet, joined: JoinedHost, movable: Movable): ReservationStep => {
  const { server } = movable
  const { projectName } = moveOf(fleet, movable)
  const host = joined.host.name
  const step = drainStep(joined, {
    server: {
      host,
      address: '',
      serverUuid: server.uuid,
      name: server.name,
      status: server.status,
      flavorName: server.flavorName,
      projectName,
      way: wayOf(server),
      to: [],
      because: null,
    },
    typeName: '',
    plannedAt: fleet.input.now,
    support: null,
  })
  return {
    ...step,
    sees: `${server.name} (${server.uuid}) of project ${projectName} is ${server.status} on ${host} and has no GPU.`,
    precondition: 'Nova can schedule it on another host.',
  }
}
