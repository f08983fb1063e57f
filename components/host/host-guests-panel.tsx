import Link from 'next/link'
import { guestStateLabel } from '@/components/gpu/guest-state'
import { OccupantName } from '@/components/gpu/occupant-name'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { HostDetail } from '@/lib/schemas/api/host'
import { gpuPath } from '@/lib/util/paths'

/** Guests of the host, those that hold something of a GPU first. */
export const HostGuestsPanel = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => {
  if (host.guests === null)
    return (
      <Panel title="Guests">
        <p className="text-ink2">
          Unknown: no guest definition could be read. The Sources tab lists the reason.
        </p>
      </Panel>
    )
  const guests = host.guests.toSorted((a, b) => Math.sign(b.gpus.length) - Math.sign(a.gpus.length))
  return (
    <Panel title="Guests" note={`${guests.length}, running and shut off`}>
      {guests.length === 0 ? (
        <p className="text-ink2">libvirt defines no guest here.</p>
      ) : (
        <SideScroll className="-mb-3">
          <Table>
            <thead>
              <tr>
                <Th>Server or guest</Th>
                <Th>State</Th>
                <Th>Project</Th>
                <Th>Flavor</Th>
                <Th>GPUs</Th>
              </tr>
            </thead>
            <tbody>
              {guests.map((guest) => (
                <Tr key={guest.guestUuid}>
                  <Td className="whitespace-nowrap">
                    <OccupantName occupant={{ ...guest, guestState: 'running' }} />
                  </Td>
                  <Td className="whitespace-nowrap">{guestStateLabel(guest.guestState)}</Td>
                  <Td>{guest.projectName}</Td>
                  <Td>{guest.flavorName}</Td>
                  <Td className="font-mono text-small">
                    {guest.gpus.map((address) => (
                      <Link
                        key={address}
                        href={gpuPath({ cloud, host: host.name, address })}
                        className="mr-2 hover:text-accent-ink hover:underline"
                      >
                        {address}
                      </Link>
                    ))}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
    </Panel>
  )
}
