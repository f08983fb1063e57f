import { OccupantName } from '@/components/gpu/occupant-name'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { CellDto, GpuDetail } from '@/lib/schemas/api/gpu'

type Held = { cell: CellDto; occupant: NonNullable<CellDto['occupant']> }

const heldCells = (gpu: GpuDetail): Held[] =>
  gpu.cells.flatMap((cell) => (cell.occupant === null ? [] : [{ cell, occupant: cell.occupant }]))

/** Who holds vGPUs of this card, or the whole card. */
export const GuestsPanel = ({ gpu }: { gpu: GpuDetail }) => {
  const held = heldCells(gpu)
  return (
    <Panel title="Guests" note={held.length === 0 ? undefined : 'running and shut off'}>
      {held.length === 0 ? (
        <p className="text-ink2">
          {gpu.numbers.used.value === null
            ? `Unknown: ${gpu.numbers.used.reason ?? 'the guests could not be read'}.`
            : 'No guest holds anything of this card.'}
        </p>
      ) : (
        <SideScroll className="-mb-3">
          <Table>
            <thead>
              <tr>
                <Th>Server or guest</Th>
                <Th>Project</Th>
                <Th>Flavor</Th>
                <Th>User</Th>
                <Th>Holds</Th>
              </tr>
            </thead>
            <tbody>
              {held.map(({ cell, occupant }) => (
                <Tr key={`${occupant.guestUuid} ${cell.mdevUuid ?? cell.address}`}>
                  <Td className="whitespace-nowrap">
                    <OccupantName occupant={occupant} />
                  </Td>
                  <Td>{occupant.projectName}</Td>
                  <Td>{occupant.flavorName}</Td>
                  <Td>{occupant.userName}</Td>
                  <Td className="whitespace-nowrap">
                    {cell.typeName ?? 'the card'}{' '}
                    <span className="font-mono text-ink3 text-small">{cell.address}</span>
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
