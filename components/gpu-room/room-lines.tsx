import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { GpuRoomDto } from '@/lib/schemas/api/gpu-room'
import { amountText, PLAIN_LABELS } from './room-words'

/** The compute node's resource classes in Placement. */
export const RoomLines = ({ lines }: Pick<GpuRoomDto, 'lines'>) => (
  <Table>
    <thead>
      <tr>
        <Th>Class</Th>
        <Th isNumber>Free</Th>
        <Th isNumber>Used</Th>
        <Th isNumber>Capacity</Th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ name, free, used, capacity }) => (
        <Tr key={name}>
          <Td>{PLAIN_LABELS[name]}</Td>
          <Td isNumber>{amountText(name, free)}</Td>
          <Td isNumber>{amountText(name, used)}</Td>
          <Td isNumber>{amountText(name, capacity)}</Td>
        </Tr>
      ))}
    </tbody>
  </Table>
)
