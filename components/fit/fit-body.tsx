import type { ReactNode } from 'react'
import type { FitUnit } from '@/lib/domain/fit/answer-count'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { CountQuestion } from './count-question'
import { FitNumbers } from './fit-numbers'
import { HostFitList } from './host-fit-list'
import { PlacementNote } from './placement-note'
import { ReasonGroups } from './reason-groups'

/** How many more fit, and the limiting factor. `side`: the request. */
export const FitBody = ({
  pages,
  unit,
  cloud,
  side,
  onMore,
}: {
  pages: readonly [FitReportDto, ...FitReportDto[]]
  unit: FitUnit
  cloud: string | null
  side: ReactNode
  /** Loads the next hosts; null: there are none. */
  onMore: (() => void) | null
}) => {
  const [fit] = pages
  return (
    <>
      <FitNumbers fit={fit} unit={unit} />
      <CountQuestion fit={fit} unit={unit} />
      <PlacementNote fit={fit} />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
        <div className="flex min-w-0 flex-col gap-3">
          <ReasonGroups fit={fit} />
          <HostFitList pages={pages} cloud={cloud} onMore={onMore} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">{side}</div>
      </div>
    </>
  )
}
