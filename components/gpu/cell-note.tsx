'use client'

import { useQuery } from '@tanstack/react-query'
import { useCloud } from '@/components/shell/use-cloud'
import type { Box } from '@/components/ui/position-next-to'
import { FloatingNote } from '@/components/ui/tooltip'
import { hostCellsOptions } from '@/lib/api/hosts'
import type { CellKind } from '@/lib/domain/pgpu/types'
import { describeCell, describeKind } from './describe-cell'

/** The occupant of a cell. The names of a host are requested when the first of its cells is hovered. */
export const CellNote = ({
  host,
  address,
  index,
  kind,
  isWhole,
  anchor,
}: {
  host: string
  address: string
  /** Counted from the left of the bar. */
  index: number
  kind: CellKind
  isWhole: boolean
  anchor: Box
}) => {
  const { cloud } = useCloud()
  const { data, isError } = useQuery(hostCellsOptions({ cloud, host }))
  const found = data?.pgpus.find((pgpu) => pgpu.address === address)?.cells[index]
  // The list and the names are two answers: while they are a report apart, the kind alone is certain.
  const cell = found?.kind === kind ? found : undefined
  const text = cell === undefined ? describeKind(kind) : describeCell(cell)
  const isWaiting = data === undefined && !isError && kind === 'used'
  return (
    <FloatingNote anchor={anchor} isStatus>
      <p className="font-[550]">
        {text.title}
        <span className="ml-1.5 font-[450] text-ink3">{isWhole ? 'whole card' : `vGPU ${index + 1}`}</span>
      </p>
      {(isWaiting ? ['Loading the name'] : text.lines).map((line) => (
        <p key={line} className="break-words text-ink2">
          {line}
        </p>
      ))}
      {isError ? <p className="text-bad">The names could not be loaded.</p> : null}
    </FloatingNote>
  )
}
