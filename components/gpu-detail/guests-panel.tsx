import { UnknownNote } from '@/components/cloud/unknown-note'
import { OccupantName } from '@/components/gpu/occupant-name'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { CellDto, GpuDetail } from '@/lib/schemas/api/gpu'
import type { CloudOccupantDto, GpuSources } from '@/lib/schemas/api/sources'

type HeldVgpu = {
  cell: CellDto
  occupant: NonNullable<CellDto['occupant']>
  /** Nova's and Keystone's data of the server; null: only the guest's own metadata is known. */
  inCloud: CloudOccupantDto | null
}

/** vGPUs of a card, or the whole card, with who holds them; the cloud's names where it gave them. */
export const heldVgpus = (
  { cells }: Pick<GpuDetail, 'cells'>,
  sources: Pick<GpuSources, 'sources'> | undefined,
): HeldVgpu[] => {
  const byGuest = new Map(
    (sources?.sources?.occupants ?? [])
      .filter(({ source }) => source === 'nova')
      .map((occupant) => [occupant.guestUuid, occupant]),
  )
  return cells.flatMap((cell) =>
    cell.occupant === null
      ? []
      : [{ cell, occupant: cell.occupant, inCloud: byGuest.get(cell.occupant.guestUuid) ?? null }],
  )
}

/** Nova's state of the server. */
const ServerState = ({ inCloud }: { inCloud: HeldVgpu['inCloud'] }) =>
  inCloud === null ? (
    <UnknownNote reason="Nova reports no server for this guest" />
  ) : (
    <Tag tone={inCloud.serverStatus === 'ERROR' ? 'bad' : 'quiet'}>{inCloud.serverStatus ?? 'no state'}</Tag>
  )

const GuestRow = ({ held: { cell, occupant, inCloud }, isRead }: { held: HeldVgpu; isRead: boolean }) => (
  <Tr>
    <Td className="whitespace-nowrap">
      <OccupantName occupant={{ ...occupant, serverName: inCloud?.serverName ?? occupant.serverName }} />
    </Td>
    {isRead ? (
      <Td>
        <ServerState inCloud={inCloud} />
      </Td>
    ) : null}
    <Td>{inCloud?.projectName ?? occupant.projectName}</Td>
    <Td>{inCloud?.flavorName ?? occupant.flavorName}</Td>
    <Td>{occupant.userName}</Td>
    <Td className="whitespace-nowrap">
      {cell.typeName ?? 'the card'} <span className="font-mono text-ink3 text-small">{cell.address}</span>
    </Td>
  </Tr>
)

/** Who holds vGPUs of this card, or the whole card. */
export const GuestsPanel = ({ gpu, sources }: { gpu: GpuDetail; sources: GpuSources | undefined }) => {
  const held = heldVgpus(gpu, sources)
  const isRead = (sources?.sources ?? null) !== null
  return (
    <Panel title="Guests" note={held.length === 0 ? undefined : 'running and shut off'}>
      {held.length === 0 ? (
        <p className="text-ink2">
          {gpu.numbers.used.value === null
            ? `Unknown: ${gpu.numbers.used.reason ?? 'the guests could not be read'}.`
            : 'No guest uses this card.'}
        </p>
      ) : (
        <SideScroll className="-mb-3">
          <Table>
            <thead>
              <tr>
                <Th>Server or guest</Th>
                {isRead ? <Th>In Nova</Th> : null}
                <Th>Project</Th>
                <Th>Flavor</Th>
                <Th>User</Th>
                <Th>Uses</Th>
              </tr>
            </thead>
            <tbody>
              {held.map((one) => (
                <GuestRow
                  key={`${one.occupant.guestUuid} ${one.cell.mdevUuid ?? one.cell.address}`}
                  held={one}
                  isRead={isRead}
                />
              ))}
            </tbody>
          </Table>
        </SideScroll>
      )}
    </Panel>
  )
}
