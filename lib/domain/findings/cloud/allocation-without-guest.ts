import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { sourceOfLostGuest } from '@/lib/domain/cloud/source-to-correct'
import type { Server } from '@/lib/domain/cloud/types'
import { listText } from '@/lib/domain/wording'
import type { Finding } from '../finding'
import { migrateServer, unsetAllocations } from './allocation-commands'
import { type Holding, holdingsOf, isMoving } from './allocation-holders'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

const findingFor = (joined: JoinedHost, fleet: Fleet, holding: Holding, server: Server): Finding | null => {
  const guest = joined.host.description.guests?.find((entry) => entry.guestUuid === server.uuid)
  if (guest !== undefined && guest.pgpuAddresses.length > 0) return null
  const names = listText(holding.providers.map(({ provider }) => provider.name))
  const sourceToCorrect = sourceOfLostGuest(joined, server)
  const here = sourceToCorrect === 'libvirt'
  const where = server.host ?? 'no host'
  return makeFinding({
    code: 'allocation-without-guest',
    severity: 'warning',
    subject: { kind: 'server', uuid: server.uuid, name: server.name, host: joined.host.name },
    sentence: here
      ? `${server.name} has ${holding.amount} allocated here, ${guest === undefined ? 'and no guest' : 'but its guest has no vGPU'}`
      : `${server.name} runs on ${where}, and still has ${holding.amount} allocated here`,
    consequence: here
      ? 'The server does not have the allocated vGPU.'
      : 'These vGPUs are lost to the scheduler until the allocation is removed.',
    nextStep: here
      ? 'Cold migrate the server when its user agrees, so that Nova attaches what Placement allocates.'
      : 'Remove what the server holds on this host. Its allocations on other hosts are kept.',
    command: here
      ? migrateServer(server.uuid)
      : unsetAllocations(server.uuid, [
          ...(joined.root.value === null ? [] : [joined.root.value]),
          ...holding.providers.map(({ provider }) => provider),
        ]),
    sourceToCorrect,
    evidence: [
      cloudReports(fleet, 'allocations', `${server.uuid} holds ${holding.amount} of ${names}`),
      cloudReports(fleet, 'servers', `${server.name} is ${server.status} on ${where}`),
      hostReports(
        joined,
        'libvirt',
        guest === undefined ? 'no such guest' : `${guest.guestName} names no vGPU`,
      ),
    ],
  })
}

/** An allocation of a server in a stable state, without a guest on this host that uses a vGPU. */
export const allocationWithoutGuest: JoinedHostDetector = {
  code: 'allocation-without-guest',
  title: 'An allocation has no guest on its host',
  reference: {
    severities: ['warning'],
    sources: ['libvirt', 'placement'],
    detection:
      'Placement, Nova and libvirt: a server has an allocation on a host, and no guest there holds a vGPU for it.',
    consequence: 'The server has no vGPU, or the allocated vGPUs are lost to the scheduler.',
    nextStep:
      'Cold migrate a server that runs on the host, so that Nova attaches what Placement allocates. Otherwise remove what the server holds on this host.',
  },
  needs: ['providers', 'allocations', 'servers', 'migrations'],
  hostNeeds: ['root', 'guests', 'mdevs'],
  detect: (joined, fleet) =>
    holdingsOf(fleet, joined).flatMap((holding) => {
      const server = fleet.servers.get(holding.consumerUuid)
      if (server === undefined || isMoving(fleet, server)) return []
      // A server that was created after the host's last report is not in it yet.
      if (server.createdAt !== null && server.createdAt > joined.host.seenAt) return []
      const finding = findingFor(joined, fleet, holding, server)
      return finding === null ? [] : [finding]
    }),
}
