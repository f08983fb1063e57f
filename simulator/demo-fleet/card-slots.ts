import { type BuildGpu, buildGpu, IOMMU_GROUP_STRIDE } from '@/simulator/gpu-models/build-gpu'
import type { GpuSpec } from '@/simulator/host-tree/host-spec'

/** Where cards sit in servers of so many slots: PCI bus and NUMA node, as such machines number them. */
const SLOTS: Record<'single' | 'dual' | 'quad' | 'octo', [bus: string, numaNode: number][]> = {
  single: [['41', 0]],
  dual: [
    ['41', 0],
    ['c1', 1],
  ],
  quad: [
    ['21', 0],
    ['61', 0],
    ['a1', 1],
    ['e1', 1],
  ],
  octo: [
    ['18', 0],
    ['19', 0],
    ['35', 0],
    ['36', 0],
    ['e7', 1],
    ['e8', 1],
    ['f4', 1],
    ['f5', 1],
  ],
}

export type CardLayout = keyof typeof SLOTS

const busBefore = (bus: string): string => (Number.parseInt(bus, 16) & 0xfe).toString(16).padStart(2, '0')

const upstreamOf = (bus: string): string[] => {
  const root = busBefore((Number.parseInt(bus, 16) - 1).toString(16))
  return [`pci0000:${root}`, `0000:${root}:${bus.endsWith('9') || bus.endsWith('6') ? '03' : '01'}.1`]
}

/** One card per place of the layout. */
export const cards = (layout: CardLayout, options: Pick<BuildGpu, 'model'> & Partial<BuildGpu>): GpuSpec[] =>
  SLOTS[layout].map(([bus, numaNode], index) =>
    buildGpu({
      address: `0000:${bus}:00.0`,
      upstream: upstreamOf(bus),
      numaNode,
      iommuGroup: 20 + index * IOMMU_GROUP_STRIDE,
      ...options,
    }),
  )

/** Device numbers of the ports of an M10's or A16's own switch, one per GPU. */
const SWITCH_PORTS = ['08', '09', '10', '11']

const hex = (value: number): string => value.toString(16).padStart(2, '0')

/** Boards that carry four GPUs behind their own switch, as M10 and A16. */
export const boards = (
  positions: { firstBus: number; numaNode: number }[],
  options: Pick<BuildGpu, 'model'> & Partial<BuildGpu>,
): GpuSpec[] =>
  positions.flatMap(({ firstBus, numaNode }, cardIndex) =>
    SWITCH_PORTS.map((port, index) => {
      const root = hex(firstBus - 4)
      const above = [`pci0000:${root}`, `0000:${root}:01.0`, `0000:${hex(firstBus - 2)}:00.0`]
      return buildGpu({
        address: `0000:${hex(firstBus + index)}:00.0`,
        upstream: [...above, `0000:${hex(firstBus - 1)}:${port}.0`],
        numaNode,
        iommuGroup: 20 + (cardIndex * SWITCH_PORTS.length + index) * IOMMU_GROUP_STRIDE,
        ...options,
      })
    }),
  )
