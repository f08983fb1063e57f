import { listText } from '@/lib/domain/wording'
import { allocateHeld, migrateServer } from './allocation-commands'
import { isMoving } from './allocation-holders'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

/** A server whose guest holds a vGPU of a pGPU that Placement advertises, without any allocation on this host's GPUs. */
export const serverWithoutAllocation: JoinedHostDetector = {
  code: 'server-without-allocation',
  title: 'A server holds a vGPU without an allocation',
  reference: {
    severities: ['error'],
    sources: ['placement'],
    detection:
      'libvirt, Nova and Placement: the guest of a server holds a vGPU, and Placement has no allocation for the server on the host.',
    consequence: 'Placement assigns the vGPU to another server, which then fails to start.',
    nextStep:
      'Allocate to the server what its guest holds, or cold migrate it. nova-manage placement heal_allocations refuses servers with vGPUs.',
  },
  needs: ['providers', 'allocations', 'servers', 'migrations'],
  hostNeeds: ['root', 'guests', 'mdevs'],
  detect: (joined, fleet) => {
    const own = new Set(
      [...joined.pgpus.flatMap(({ providers }) => providers), ...joined.strays].map(
        ({ provider }) => provider.uuid,
      ),
    )
    const advertised = new Set(
      joined.pgpus.filter(({ providers }) => providers.length > 0).map(({ pgpu }) => pgpu.address),
    )
    return (joined.host.description.guests ?? []).flatMap((guest) => {
      const server = fleet.servers.get(guest.guestUuid)
      const held = guest.pgpuAddresses.filter((address) => advertised.has(address))
      if (server === undefined || held.length === 0 || isMoving(fleet, server)) return []
      const allocations = fleet.allocationsByConsumer.get(server.uuid) ?? []
      if (allocations.some(({ providerUuid }) => own.has(providerUuid))) return []
      const allocate = allocateHeld(joined, server)
      return [
        makeFinding({
          code: 'server-without-allocation',
          severity: 'error',
          subject: { kind: 'server', uuid: server.uuid, name: server.name, host: joined.host.name },
          sentence: `${server.name} holds a vGPU of ${listText(held)} without an allocation`,
          consequence: 'Placement assigns its vGPU to another server, which then fails to start.',
          nextStep:
            allocate === null
              ? 'Cold migrate the server when its user agrees: Nova then allocates what its flavor requests.'
              : 'Allocate to the server what its guest holds. If Placement refuses because the vGPU is allocated to another server, cold migrate this server.',
          command: allocate ?? migrateServer(server.uuid),
          sourceToCorrect: 'placement',
          evidence: [
            hostReports(joined, 'libvirt', `${guest.guestName} holds a vGPU of ${listText(held)}`),
            cloudReports(
              fleet,
              'allocations',
              `nothing of ${server.uuid} on the GPUs of ${joined.host.name}`,
            ),
            cloudReports(fleet, 'servers', `${server.name} is ${server.status} on ${server.host}`),
          ],
        }),
      ]
    })
  },
}
