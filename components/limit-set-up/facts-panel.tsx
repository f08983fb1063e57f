import type { ReactNode } from 'react'
import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import type { SetUpFact } from '@/lib/schemas/api/limit-set-up'
import { DriverAnswer } from './driver-answer'

const STATES = {
  good: { word: 'done', tone: 'quiet' },
  open: { word: 'to do', tone: 'warn' },
  unknown: { word: 'can’t tell', tone: 'accent' },
} as const

/** The state of the cloud: each fact with its evidence, or the command to check it. */
export const FactsPanel = ({
  facts,
  novaUser,
}: {
  facts: readonly SetUpFact[]
  /** Below the fact about Nova's user. */
  novaUser: ReactNode
}) => (
  <Panel title="1. Where you are">
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2.5 md:grid-cols-[170px_minmax(0,1fr)]">
      {facts.map(({ id, title, state, said, check }) => (
        <div key={id} className="contents">
          <dt className="flex items-baseline gap-2 font-[550] max-md:mt-1">
            {title} <Tag tone={STATES[state].tone}>{STATES[state].word}</Tag>
          </dt>
          <dd className="m-0 min-w-0 wrap-anywhere">
            <p className="max-w-[100ch]">{said.replace(/\.$/, '')}.</p>
            {check === null ? null : (
              <div className="mt-1">
                <p className="mb-0.5 text-ink3 text-small">Look like this:</p>
                <CommandLine command={check} />
              </div>
            )}
            {id === 'driver' ? <DriverAnswer /> : null}
            {id === 'role' ? novaUser : null}
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
)
