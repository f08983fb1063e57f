'use client'

import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { asSentence } from '@/components/finding/finding-labels'
import { TimedText } from '@/components/shell/timed-text'
import { Button } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { MoreRows } from '@/components/ui/more-rows'
import { SeverityText } from '@/components/ui/severity-text'
import { EmptyState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import type { FindingLink, FitReasonKind, FitReportDto, HostFitDto, PgpuFitDto } from '@/lib/schemas/api/fit'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import { findingPath, gpuPath, hostPath } from '@/lib/util/paths'
import { groupLabel, hostFitsText } from './fit-labels'
import { fitSearchParams } from './fit-search-params'

const Findings = ({ findings, cloud }: { findings: readonly FindingLink[]; cloud: string | null }) =>
  findings.length === 0 ? null : (
    <ul className="flex flex-col">
      {findings.map(({ id, severity, sentence }) => (
        <li key={id}>
          <Link href={findingPath({ cloud, id })} prefetch={false} className="hover:underline">
            <SeverityText severity={severity}>
              <TimedText text={asSentence(sentence)} />
            </SeverityText>
          </Link>
        </li>
      ))}
    </ul>
  )

const formatPgpu = ({ fits, reasons }: PgpuFitDto): string => {
  if (reasons.length > 0) return asSentence(reasons.map(({ because }) => because).join('; '))
  if (fits.value === null) return `Unknown: ${fits.reason}`
  return fits.value === 0 ? 'No free capacity for the request' : 'Free capacity'
}

const PgpuLine = ({ host, pgpu, cloud }: { host: HostFitDto; pgpu: PgpuFitDto; cloud: string | null }) => (
  <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-line2 border-t py-1.5">
    <span className="w-[104px] flex-none">
      <Link
        href={gpuPath({ cloud, host: host.host, address: pgpu.address })}
        prefetch={false}
        className="font-mono text-small hover:text-accent-ink hover:underline"
      >
        {pgpu.address}
      </Link>
    </span>
    <span className="w-36 flex-none truncate text-ink2 text-small" title={pgpu.model}>
      {pgpu.typeName ?? pgpu.model}
    </span>
    <span className="w-6 flex-none text-right font-[550] tabular-nums">
      {pgpu.fits.value ?? <span className="text-ink3">–</span>}
    </span>
    <div className="min-w-0 flex-1 basis-56">
      <p className={classNames('break-words', pgpu.reasons.length > 0 && 'text-ink2')}>
        <TimedText text={formatPgpu(pgpu)} />
      </p>
      <Findings findings={pgpu.findings} cloud={cloud} />
    </div>
  </li>
)

const STATE_TAGS = {
  fits: { word: 'fits', tone: 'accent' },
  blocked: { word: 'no', tone: 'quiet' },
  unknown: { word: 'unknown', tone: 'warn' },
} as const

const OF_CARDS: ReadonlySet<FitReasonKind> = new Set([
  'hardware',
  'full',
  'size',
  'trait',
  'class',
  'provider',
])

/** A blocker of a card is shown with the cards that it concerns. */
const formatReason = ({ pgpus }: HostFitDto, { kind, because }: HostFitDto['reasons'][number]): string => {
  if (!OF_CARDS.has(kind)) return because
  const isOfAll = pgpus.every(({ reasons }) => reasons[0]?.because === because)
  if (isOfAll) return pgpus.length === 1 ? `pGPU: ${because}` : `all ${pgpus.length} pGPUs: ${because}`
  return `closest pGPU: ${because}`
}

const formatHost = (host: HostFitDto): string => {
  const { state, reasons, byPlacement, fits, discrepancy } = host
  if (discrepancy === 'over-promise' && state === 'fits')
    return `Placement offers ${byPlacement.value}, the hardware supports ${fits.value}`
  return asSentence(reasons.map((reason) => formatReason(host, reason)).join('; '))
}

/** One host: what it takes or what prevents it; expanded, the same for each pGPU. */
const HostFitItem = ({
  host,
  cloud,
  isOpen,
}: {
  host: HostFitDto
  cloud: string | null
  isOpen: boolean
}) => {
  const { word, tone } = STATE_TAGS[host.state]
  return (
    <li className="border-line2 border-b last:border-b-0">
      <details open={isOpen} className="group">
        <summary className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3.5 py-[7px] -outline-offset-2 hover:bg-bg">
          <span aria-hidden className="w-2 flex-none text-ink3 group-open:rotate-90">
            ›
          </span>
          <span className="w-36 flex-none truncate font-[550]" title={host.host}>
            {host.host}
          </span>
          <span className="w-[70px] flex-none">
            <Tag tone={tone}>{word}</Tag>
          </span>
          <span className="w-16 flex-none text-right font-[550] tabular-nums">{hostFitsText(host)}</span>
          <span className="min-w-0 flex-1 basis-64 break-words text-ink2">
            {host.discrepancy === 'over-promise' ? (
              <Tag tone="warn" className="mr-1.5">
                exceeds hardware{' '}
              </Tag>
            ) : null}
            <TimedText text={formatHost(host)} />
          </span>
        </summary>
        <div className="px-3.5 pb-2 sm:pl-[34px]">
          <p className="flex flex-wrap gap-x-3 pb-1 text-ink2 text-small">
            {host.hasAgent ? (
              <Link
                href={hostPath({ cloud, host: host.host })}
                prefetch={false}
                className="text-accent-ink underline"
              >
                Host page
              </Link>
            ) : (
              <span>No agent reports from this host.</span>
            )}
            {host.isOffered === null ? null : (
              <span>Placement {host.isOffered ? 'offers it now' : 'does not offer it now'}.</span>
            )}
          </p>
          <Findings findings={host.findings} cloud={cloud} />
          <ul>
            {host.pgpus.map((pgpu) => (
              <PgpuLine key={pgpu.address} host={host} pgpu={pgpu} cloud={cloud} />
            ))}
          </ul>
        </div>
      </details>
    </li>
  )
}

const CLEAR = { q: null, group: null } as const

/** The blockers host by host, those that fit first, then the nearest miss. */
export const HostFitList = ({
  pages,
  cloud,
  onMore,
}: {
  pages: readonly [FitReportDto, ...FitReportDto[]]
  cloud: string | null
  onMore: (() => void) | null
}) => {
  const [{ q, group }, setParams] = useQueryStates(fitSearchParams)
  const [fit] = pages
  const shown = pages.flatMap(({ hosts }) => hosts)
  const isNarrowed = q !== '' || group !== null
  if (fit.hostCount === 0)
    return (
      <EmptyState title="No host has a GPU">
        Hosts with GPUs are listed after their agents report. See Settings, Agents.
      </EmptyState>
    )
  return (
    <section aria-label="Hosts" className="min-w-0">
      <Toolbar>
        <FilterInput
          className="sm:w-[250px]"
          label="Filter by host, model, type"
          value={q}
          onChange={(q) => void setParams({ q })}
        />
        {group === null ? null : <span className="text-ink2">{groupLabel(group)}</span>}
        {isNarrowed ? <ClearButton onClear={() => void setParams(CLEAR)} /> : null}
      </Toolbar>
      <p className="sr-only" role="status">
        {isNarrowed ? `${formatCount(fit.total)} of ${formatNoun(fit.hostCount, 'host')} found` : ''}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
        >
          Every word must match the host name, a model or a vGPU type.
        </EmptyState>
      ) : (
        <ul className={`rounded-panel border border-line bg-panel ${fit.gap === null ? '' : 'old-words'}`}>
          {shown.map((host, index) => (
            <HostFitItem key={host.host} host={host} cloud={cloud} isOpen={index === 0} />
          ))}
        </ul>
      )}
      <MoreRows shown={shown.length} total={fit.total} onMore={onMore} />
    </section>
  )
}
