import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-words'
import { TimedText } from '@/components/shell/timed-text'
import { SeverityText } from '@/components/ui/severity-text'
import { Tag } from '@/components/ui/tag'
import type { FindingLink, FitReasonKind, HostFitDto, PgpuFitDto } from '@/lib/schemas/api/fit'
import { classNames } from '@/lib/util/class-names'
import { findingPath, gpuPath, hostPath } from '@/lib/util/paths'
import { hostFitsText } from './fit-words'

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

const pgpuWords = ({ fits, reasons }: PgpuFitDto): string => {
  if (reasons.length > 0) return asSentence(reasons.map(({ because }) => because).join('; '))
  if (fits.value === null) return `Can’t tell: ${fits.reason}`
  return fits.value === 0 ? 'Nothing left of what is asked for' : 'Has room'
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
        <TimedText text={pgpuWords(pgpu)} />
      </p>
      <Findings findings={pgpu.findings} cloud={cloud} />
    </div>
  </li>
)

const STATE_TAGS = {
  fits: { word: 'fits', tone: 'accent' },
  blocked: { word: 'no', tone: 'quiet' },
  unknown: { word: 'can’t tell', tone: 'warn' },
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
const reasonWords = ({ pgpus }: HostFitDto, { kind, because }: HostFitDto['reasons'][number]): string => {
  if (!OF_CARDS.has(kind)) return because
  const isOfAll = pgpus.every(({ reasons }) => reasons[0]?.because === because)
  if (isOfAll)
    return pgpus.length === 1 ? `its pGPU: ${because}` : `each of ${pgpus.length} pGPUs: ${because}`
  return `nearest pGPU: ${because}`
}

const hostWords = (host: HostFitDto): string => {
  const { state, reasons, byPlacement, fits, standing } = host
  if (standing === 'over-promise' && state === 'fits')
    return `Placement would give ${byPlacement.value}, the hardware has ${fits.value}`
  return asSentence(reasons.map((reason) => reasonWords(host, reason)).join('; '))
}

/** One host: what it takes or what prevents it; expanded, the same for each pGPU. */
export const HostFitItem = ({
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
            {host.standing === 'over-promise' ? (
              <Tag tone="warn" className="mr-1.5">
                over-promise
              </Tag>
            ) : null}
            <TimedText text={hostWords(host)} />
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
              <span>No agent reports from it.</span>
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
