import { OccupantName } from '@/components/gpu/occupant-name'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { Occupant } from '@/lib/domain/pgpu/types'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { formatNoun } from '@/lib/util/format'

type Func = GpuDetail['virtualFunctions'][number]

const holds = (func: Func, typeNames: Map<number, string>): string => {
  if (func.currentType !== null && func.currentType > 0)
    return `type ${func.currentType}${typeNames.has(func.currentType) ? `, ${typeNames.get(func.currentType)}` : ''}`
  if (func.mdevUuids.length > 0) return `mdev ${func.mdevUuids.join(', ')}`
  return ''
}

/** Names of vendor-VFIO types by their decimal id. */
const vendorTypeNames = (gpu: GpuDetail): Map<number, string> => {
  const types = [...(gpu.supportedTypes ?? []), ...(gpu.currentType === null ? [] : [gpu.currentType])]
  return new Map(types.map((type) => [Number(type.typeId.split('-').at(-1)), type.shortName]))
}

const occupantsByAddress = (gpu: GpuDetail): Map<string, Occupant> => {
  const held = new Map<string, Occupant>()
  for (const { address, occupant } of gpu.cells) {
    if (address !== null && occupant !== null) held.set(address, occupant)
  }
  return held
}

const FunctionsTable = ({ gpu }: { gpu: GpuDetail }) => {
  const typeNames = vendorTypeNames(gpu)
  const occupants = occupantsByAddress(gpu)
  return (
    <SideScroll className="mt-2 -mb-3">
      <Table>
        <thead>
          <tr>
            <Th>Address</Th>
            <Th>Driver</Th>
            <Th>vGPU</Th>
            <Th>Server or guest</Th>
          </tr>
        </thead>
        <tbody>
          {gpu.virtualFunctions.map((func) => {
            const occupant = occupants.get(func.address)
            return (
              <Tr key={func.address}>
                <Td className="font-mono text-small">{func.address}</Td>
                <Td className="font-mono text-small">
                  {func.driver ?? <span className="font-sans text-ink3">none bound</span>}
                </Td>
                <Td className="text-ink2">{holds(func, typeNames) || 'nothing'}</Td>
                <Td>{occupant === undefined ? null : <OccupantName occupant={occupant} />}</Td>
              </Tr>
            )
          })}
        </tbody>
      </Table>
    </SideScroll>
  )
}

/** The VFs of an SR-IOV card; collapsed at first, because their number is not the capacity. */
export const FunctionsPanel = ({ gpu }: { gpu: GpuDetail }) => {
  if (gpu.virtualFunctions.length === 0) return null
  const busy = gpu.virtualFunctions.filter((func) => func.mdevUuids.length > 0 || (func.currentType ?? 0) > 0)
  return (
    <Panel>
      <details>
        <summary className="cursor-pointer">
          <h2 className="m-0 inline font-semibold text-body">Virtual functions</h2>
          <span className="ml-2 text-ink3 text-small">
            {formatNoun(gpu.virtualFunctions.length, 'VF')}, {busy.length} with a vGPU; the number of VFs is
            not the capacity
          </span>
        </summary>
        <FunctionsTable gpu={gpu} />
      </details>
    </Panel>
  )
}
