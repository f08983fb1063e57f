'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadProblem } from '@/components/shell/load-problem'
import { buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { idleVgpusOptions } from '@/lib/api/utilisation'
import type { IdleVgpus, UntoldReason } from '@/lib/schemas/api/utilisation'
import { formatCount, formatNoun } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { IdleTable } from './idle-table'

const DAYS = [7, 14, 30, 60] as const

const REASONS: Readonly<Record<UntoldReason, string>> = {
  'not-measured': 'not measured until now (MIG, a server that is shut off, an agent that sends no samples)',
  'not-lately': 'not measured lately',
  gaps: 'seen less than half of the time',
  'too-short': 'on hosts that are not measured for so long yet',
}

const untoldWords = ({ untold, untoldCount }: IdleVgpus): string => {
  const reasons = [...new Set(untold.map(({ reason }) => reason))].map((reason) => REASONS[reason])
  return `Of ${formatNoun(untoldCount, 'vGPU', 'vGPUs')} nobody can tell: ${reasons.join('; ')}.`
}

const Found = ({ data, cloud }: { data: IdleVgpus; cloud: string | null }) => (
  <>
    {data.idleCount === 0 ? (
      <p className="text-ink2">
        {data.held === 0
          ? 'No server holds a vGPU.'
          : `None of the ${formatNoun(data.held, 'vGPU', 'vGPUs')} that servers hold was seen idle for so long.`}
      </p>
    ) : (
      <IdleTable idle={data.idle} cloud={cloud} asOf={data.asOf} />
    )}
    {data.untoldCount === 0 ? null : <p className="mt-2 text-ink2 text-small">{untoldWords(data)}</p>}
  </>
)

/** vGPUs that servers hold and did not use for days, with their owners. */
export const IdlePanel = ({
  cloud,
  isBesidePart,
}: {
  cloud: string | null
  /** What stands around it is of one group alone, which it is not. */
  isBesidePart: boolean
}) => {
  const [days, setDays] = useState<number>(14)
  const query = useQuery(idleVgpusOptions({ cloud, days }))
  const { data } = query
  const note =
    data === undefined
      ? undefined
      : `${formatCount(data.idleCount)} of ${formatNoun(data.held, 'vGPU', 'vGPUs')} never above ${data.thresholdPercent} % for ${data.days} days or more${isBesidePart ? ', in the whole cloud' : ''}`
  return (
    <Panel
      className="mb-3.5"
      title="Allocated but idle"
      note={note}
      actions={
        <div className="flex flex-wrap gap-2">
          <ChoiceChip
            label="Idle for"
            isMultiple={false}
            choices={DAYS.map((each) => ({ value: String(each), label: `${each} days` }))}
            chosen={[String(days)]}
            onChoose={([value = '14']) => setDays(Number(value))}
          />
          <a
            href={apiPaths.idleVgpusExport({ cloud, days })}
            download
            className={buttonStyle({ size: 'small' })}
          >
            CSV
          </a>
        </div>
      }
    >
      <LoadProblem query={query} what="The idle vGPUs" />
      {data === undefined ? (
        query.error === null ? (
          <SkeletonRows rows={4} label="Loading the idle vGPUs" />
        ) : null
      ) : (
        <Found data={data} cloud={cloud} />
      )}
    </Panel>
  )
}
