import { X } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import type { MigrationPairDto } from '@/lib/schemas/api/migration'
import { formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'
import type { MatrixLine } from './matrix-lines'
import { VERDICT_LABELS, waySentences } from './way-labels'
import { WAY_STYLES } from './way-styles'

/** A list of more names would not be readable. */
const MAX_NAMES = 12

const Hosts = ({ label, line, cloud }: { label: string; line: MatrixLine; cloud: string | null }) => (
  <div>
    <dt className="text-ink2 text-small">{label}</dt>
    <dd className="flex flex-wrap gap-x-2">
      {line.hosts.slice(0, MAX_NAMES).map(({ name }) => (
        <Link
          key={name}
          href={hostPath({ cloud, host: name })}
          prefetch={false}
          className="hover:text-accent-ink hover:underline"
        >
          {name}
        </Link>
      ))}
      {line.hosts.length > MAX_NAMES ? (
        <span className="text-ink3">and {formatNoun(line.hosts.length - MAX_NAMES, 'more', 'more')}</span>
      ) : null}
    </dd>
  </div>
)

const Sentences = ({ title, sentences }: { title: string; sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <>
      <h3 className="mt-2.5 mb-0.5 font-[550] text-ink2 text-small">{title}</h3>
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {sentences.map((text) => (
          <li key={text} className="break-words">
            {text}
          </li>
        ))}
      </ul>
    </>
  )

/** The chosen cell in full, with both ends as links. */
export const WayPanel = ({
  way,
  from,
  to,
  cloud,
  onClose,
}: {
  way: MigrationPairDto
  from: MatrixLine
  to: MatrixLine
  cloud: string | null
  onClose: () => void
}) => {
  const { blockers, cautions } = waySentences(way, { from, to })
  return (
    <Panel
      title="Selected migration"
      actions={
        <Button variant="ghost" size="small" aria-label="Close the selected migration" onClick={onClose}>
          <X size={13} aria-hidden />
        </Button>
      }
    >
      <p className="mb-2 flex items-center gap-2 font-semibold">
        <span
          className={`inline-flex size-[22px] items-center justify-center rounded-[3px] ${WAY_STYLES[way.verdict]}`}
        />
        {VERDICT_LABELS[way.verdict]}
      </p>
      <dl className="flex flex-col gap-1.5">
        <Hosts label="From" line={from} cloud={cloud} />
        <Hosts label="To" line={to} cloud={cloud} />
      </dl>
      <Sentences title={way.verdict === 'unknown' ? 'Reason' : 'Blockers'} sentences={blockers} />
      <Sentences title="Cautions" sentences={cautions} />
      {way.verdict === 'possible' && cautions.length === 0 ? (
        <p className="mt-2 text-ink2">No blockers found.</p>
      ) : null}
    </Panel>
  )
}
