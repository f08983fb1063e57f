import Link from 'next/link'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copyable'
import { useMoreRows } from '@/components/ui/more-rows'
import { OmittedNote } from '@/components/ui/omitted-note'
import { Panel } from '@/components/ui/panel'
import { EmptyState } from '@/components/ui/states'
import type { TypeChangePreview } from '@/lib/schemas/api/change'
import type { PlanPassthrough, PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { classNames } from '@/lib/util/class-names'
import { gpusPath } from '@/lib/util/paths'
import { ConfigTexts } from './config-texts'
import { PlanView } from './plan-view'
import { PlannedSteps } from './planned-steps'
import { LeftAlone } from './preview-panels'
import { StuckServersPanel } from './stuck-servers-panel'
import { TypeBars } from './type-bars'
import { TypeMeaningPanels } from './type-meaning-panels'

/** Hosts drawn at first, and with each press more. */
const PAGE = 6

type Line = { text: string; sign: ' ' | '+' | '-' }

/** Lines of both texts in the order of the second, those that go before those that come. */
export const diffLines = (before: string, after: string): Line[] => {
  const [old, next] = [before.split('\n'), after.split('\n')]
  const lines: Line[] = []
  let added: Line[] = []
  let from = 0
  const settle = (end: number) => {
    lines.push(...old.slice(from, end).map((text): Line => ({ text, sign: '-' })), ...added)
    added = []
  }
  for (const text of next) {
    const index = text === '' ? -1 : old.indexOf(text, from)
    if (index === -1) {
      added.push({ text, sign: '+' })
      continue
    }
    settle(index)
    lines.push({ text, sign: ' ' })
    from = index + 1
  }
  settle(old.length)
  return lines
}

const SIGNS: Readonly<Record<Line['sign'], { word: string; style: string }>> = {
  ' ': { word: '', style: 'text-ink2' },
  '+': { word: 'added: ', style: 'bg-accent2 text-accent-ink' },
  '-': { word: 'removed: ', style: 'bg-warn2 text-warn' },
}

const HostConfig = ({ host }: { host: TypeChangePreview['hosts'][number] }) => (
  <li>
    <div className="mb-1 flex flex-wrap items-baseline gap-x-2">
      <b className="font-semibold">{host.host}</b>
      <span className="text-ink3 text-small">nova.conf for {host.deployment}</span>
      <span className="ml-auto">
        <CopyButton text={host.configAfter} label={`Copy the new options of ${host.host}`} />
      </span>
    </div>
    {host.configNote == null ? null : <p className="mb-1 text-warn wrap-anywhere">{host.configNote}</p>}
    <pre className="m-0 whitespace-pre-wrap rounded-control border border-line bg-bg px-3 py-1.5 font-mono text-small wrap-anywhere">
      {diffLines(host.configBefore, host.configAfter).map(({ text, sign }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that is drawn once may repeat
        <span key={index} className={classNames('block', SIGNS[sign].style)}>
          <span aria-hidden>{sign} </span>
          <span className="sr-only">{SIGNS[sign].word}</span>
          {text}
        </span>
      ))}
    </pre>
  </li>
)

/** The options of each host's nova.conf that the change touches, old and new. */
const ConfigPanel = ({ change: { hosts, totals } }: { change: TypeChangePreview }) => {
  const { first, more } = useMoreRows(hosts, PAGE)
  return (
    <Panel title="nova.conf" note="current and new options">
      <ul className="flex flex-col gap-3">
        {first.map((host) => (
          <HostConfig key={host.host} host={host} />
        ))}
      </ul>
      {more}
      <OmittedNote listed={hosts.length} count={totals?.hosts ?? hosts.length} />
    </Panel>
  )
}

/** The plan of a change of what cards are: their vGPU type, or whether they go out whole. */
export const CardPlan = ({
  input,
  nothing,
}: {
  input: PlanTypeChange | PlanPassthrough
  /** Why no step is needed. */
  nothing: string
}) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={({ preview: { refusals, typeChange }, ...plan }) => (
        <>
          {plan.stepCount > 0 ? null : (
            <EmptyState
              title={refusals.length === 0 ? 'No changes needed' : 'The change is not possible'}
              action={
                <Link href={gpusPath({ cloud })} className={buttonStyle()}>
                  Select other pGPUs
                </Link>
              }
            >
              {refusals.length === 0
                ? nothing
                : 'Each pGPU is listed under “Skipped”, with the reason. Nothing was changed.'}
            </EmptyState>
          )}
          {typeChange === null ? null : (
            <>
              <TypeBars change={typeChange} cloud={cloud} />
              <StuckServersPanel change={typeChange} />
              <ConfigPanel change={typeChange} />
              <ConfigTexts change={typeChange} />
            </>
          )}
          {plan.stepCount === 0 ? null : <PlannedSteps plan={plan} />}
        </>
      )}
      side={({ preview: { refusals, typeChange } }) => (
        <>
          <LeftAlone refusals={refusals} cloud={cloud} />
          {typeChange === null ? null : <TypeMeaningPanels change={typeChange} />}
        </>
      )}
    />
  )
}
