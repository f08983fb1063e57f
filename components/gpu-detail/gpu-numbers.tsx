import { rangeLabel } from '@/components/gpu/bar-cells'
import { CELL_MARK } from '@/components/gpu/cell-legend'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { formatPercent } from '@/lib/util/format'

type Numbers = GpuDetail['numbers']

const text = (number: Numbers['used']): string | null => (number.value === null ? null : String(number.value))

const share = ({ used, capacity }: Numbers): string | null =>
  used.value === null || capacity.value === null ? null : formatPercent(used.value, capacity.value)

/** For a card in passthrough: no vGPUs are created on it. */
const WholeNumbers = ({ numbers }: { numbers: Numbers }) => (
  <StatStrip label="Numbers of this pGPU">
    <Stat
      label="Capacity"
      value={text(numbers.capacity)}
      note={numbers.capacity.reason ?? 'servers with the whole card'}
    />
    <Stat
      label="Used"
      mark={CELL_MARK.used}
      value={text(numbers.used)}
      note={numbers.used.reason ?? 'by a guest with the PCI device'}
    />
    <Stat
      label="Free"
      mark={CELL_MARK.free}
      value={text(numbers.creatable)}
      note={numbers.creatable.reason ?? 'no guest uses it'}
    />
  </StatStrip>
)

/** The six numbers of a pGPU; an unknown one is a dash with the reason. */
export const GpuNumbers = ({
  numbers,
  range,
  isWhole,
}: {
  numbers: Numbers
  /** Fewest and most vGPUs of the supported types, while there is no type. */
  range: readonly [number, number] | null
  isWhole: boolean
}) => {
  const note = (number: Numbers['used'], known: string | null) =>
    number.value === null ? number.reason : known
  if (isWhole) return <WholeNumbers numbers={numbers} />
  return (
    <StatStrip label="Numbers of this pGPU">
      <Stat
        label="Capacity"
        value={text(numbers.capacity)}
        note={range === null ? note(numbers.capacity, 'when full') : rangeLabel(range)}
      />
      <Stat
        label="Used"
        mark={CELL_MARK.used}
        value={text(numbers.used)}
        note={note(numbers.used, share(numbers))}
      />
      <Stat
        label="Spare"
        mark={CELL_MARK.spare}
        value={text(numbers.spare)}
        note={note(numbers.spare, 'reused by Nova')}
      />
      <Stat
        label="Orphan"
        mark={CELL_MARK.orphan}
        value={text(numbers.orphan)}
        tone={(numbers.orphan.value ?? 0) > 0 ? 'warn' : 'plain'}
        note={note(numbers.orphan, 'not of a configured type')}
      />
      <Stat
        label="Creatable"
        mark={CELL_MARK.free}
        value={text(numbers.creatable)}
        note={note(numbers.creatable, 'according to the driver')}
      />
      <Stat
        label="Returning"
        value={text(numbers.returning)}
        tone={(numbers.returning.value ?? 0) > 0 ? 'warn' : 'plain'}
        note={note(numbers.returning, 'at the next reboot')}
      />
    </StatStrip>
  )
}
