import { spawnServer } from '@/simulator/host/spawn-server'
import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import type { WorldHost } from '@/simulator/world/world-host'
import type { Server } from '../nova/nova-state'
import { findDestinations } from './find-destinations'
import { allocate, touch } from './follow-servers'
import { guestOf, isGone, type OperationContext } from './operation-context'

const BOOT_MS = 2000
/** `[scheduler] max_attempts`. */
const MAX_ATTEMPTS = 3

const guestFor = ({ cloud }: OperationContext, server: Server): GuestSpec => ({
  uuid: server.uuid,
  name: server.instanceName,
  state: 'running',
  vcpus: server.flavor.vcpus,
  memoryMib: server.flavor.memoryMib,
  mdevs: [],
  pciDevices: [],
  // The host that takes it chooses the CPUs.
  ...(server.flavor.extraSpecs['hw:cpu_policy'] === 'dedicated' ? { pinned: { node: 0, cpus: [] } } : {}),
  nova: {
    namespace: '1.1',
    serverName: server.name,
    flavorName: server.flavor.name,
    projectId: server.projectId,
    projectName: cloud.keystone.projects.find(({ id }) => id === server.projectId)?.name ?? '',
    userId: server.userId,
    userName: cloud.keystone.users.find(({ id }) => id === server.userId)?.name ?? '',
    createdAt: new Date(server.createdMs).toISOString().slice(0, 19).replace('T', ' '),
  },
})

const settle = (context: OperationContext, server: Server, { living }: WorldHost): void => {
  const { cloud } = context
  const compute = cloud.nova.computes.find(({ host }) => host === living.name)
  touch(cloud, server, {
    status: 'ACTIVE',
    taskState: null,
    host: living.name,
    hypervisorHostname: compute?.hypervisorHostname ?? living.name,
  })
  const guest = living.spec().guests.find(({ uuid }) => uuid === server.uuid)
  if (guest !== undefined) allocate(cloud, living.spec(), guest, server)
}

const NO_HOST = 'No valid host was found. There are not enough hosts available.'

/** A server that Placement has no place for, or that no host could make, ends in ERROR on no host. */
export const bootServer = (context: OperationContext, server: Server, wanted: string | null): void => {
  const { cloud, view } = context
  const fail = (message: string): void =>
    touch(cloud, server, { status: 'ERROR', taskState: null, fault: { code: 500, message } })
  touch(cloud, server, { taskState: 'scheduling' })
  view.later(BOOT_MS, () => {
    if (isGone(context, server)) return
    const destinations = findDestinations({ cloud, view }, { flavor: server.flavor, wanted, except: null })
    if (destinations.length === 0) {
      fail(NO_HOST)
      return
    }
    const guest = guestFor(context, server)
    const found = destinations
      .slice(0, MAX_ATTEMPTS)
      .find(({ host: { living }, ...destination }) =>
        living.attempt(spawnServer(living.spec(), guest, { ...destination, newUuid: view.random.uuid })),
      )
    if (found !== undefined && guestOf(found.host, server) !== undefined) settle(context, server, found.host)
    else
      fail(
        `Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance ${server.uuid}.`,
      )
  })
}
