'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsNumberLiteral, useQueryState } from 'nuqs'
import { dayOf, GROUP_WORDS } from '@/components/capacity/capacity-words'
import { type CapacityView, marksQuestion } from '@/components/capacity/use-capacity-view'
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
          ? 'No server is known to hold a vGPU.'
          : `None of the ${formatNoun(data.held, 'vGPU', 'vGPUs')} that servers hold was seen idle for so long.`}
      </p>
    ) : (
      <IdleTable idle={data.idle} cloud={cloud} asOf={data.asOf} />
    )}
    {data.untoldCount === 0 ? null : <p className="mt-2 text-ink2 text-small">{untoldWords(data)}</p>}
  </>
)

/** Of what and as of when, where it is not the whole cloud now. */
const partWords = ({ host, address, chosen, by, isFixed }: CapacityView, { asOf }: IdleVgpus): string => {
  const of =
    host !== null
      ? ` on ${address === null ? host : `${host} ${address}`}`
      : chosen === null
        ? ''
        : ` of this ${GROUP_WORDS[by].noun}`
  return `${of}${isFixed ? `, as of ${dayOf(asOf)}` : ''}`
}

/** vGPUs that servers have and did not use for days, with their owners: of the selected subject. */
export const IdlePanel = ({ view }: { view: CapacityView }) => {
  const { cloud } = view
  const [days, setDays] = useQueryState('idle', parseAsNumberLiteral(DAYS).withDefault(14))
  const question = { days, ...marksQuestion(view), until: view.isFixed ? view.range.until : null }
  const query = useQuery(idleVgpusOptions(question))
  const { data } = query
  const note =
    data === undefined || data.held === 0
      ? undefined
      : `${formatCount(data.idleCount)} of ${formatNoun(data.held, 'vGPU', 'vGPUs')} never above ${data.thresholdPercent} % for ${data.days} days or more${partWords(view, data)}`
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
            onChoose={([value]) => void setDays(DAYS.find((each) => String(each) === value) ?? 14)}
          />
          <a href={apiPaths.idleVgpusExport(question)} download className={buttonStyle({ size: 'small' })}>
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
