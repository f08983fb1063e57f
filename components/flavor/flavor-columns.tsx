import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-labels'
import { fitsText, openBecause } from '@/components/fit/fit-labels'
import { TimedText, useTimedText } from '@/components/shell/timed-text'
import type { Column } from '@/components/table/column'
import { Unknown } from '@/components/ui/key-values'
import { SeverityText } from '@/components/ui/severity-text'
import { Tag } from '@/components/ui/tag'
import { isFull } from '@/lib/domain/flavor/arrange-flavors'
import type { FlavorSort, FlavorSummary } from '@/lib/schemas/api/flavor'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { findingPath, flavorPath, hostPath } from '@/lib/util/paths'
import { accessText } from './access-labels'

const Figure = ({ flavor, value }: { flavor: FlavorSummary; value: number }) => {
  const text = fitsText({ ...flavor, fits: value })
  const because = openBecause(flavor)
  const timed = useTimedText()
  const unknown = flavor.nearest?.because ?? because
  if (text === null) return <Unknown reason={unknown === null ? null : timed(unknown)} />
  return <span title={because ?? undefined}>{text}</span>
}

const Nearest = ({ flavor, cloud }: { flavor: FlavorSummary; cloud: string | null }) => {
  const { nearest } = flavor
  if (nearest === null) return null
  const { host, kind, because } = nearest
  return (
    <p className="text-ink2 text-small">
      {kind === 'unknown' ? 'Unknown: ' : 'Closest host: '}
      {host === null ? null : (
        <>
          <Link href={hostPath({ cloud, host })} prefetch={false} className="hover:underline">
            {host}
          </Link>
          ,{' '}
        </>
      )}
      <TimedText text={because} />
    </p>
  )
}

/** GPU flavors on their page. */
export const FLAVOR_COLUMNS: readonly Column<FlavorSummary, { cloud: string | null }, FlavorSort>[] = [
  {
    id: 'flavor',
    header: 'Flavor',
    sort: 'name',
    isRising: true,
    isFixed: true,
    className: 'min-w-44',
    cell: (flavor, { cloud }) => (
      <>
        <Link
          href={flavorPath({ cloud, flavor: flavor.id })}
          prefetch={false}
          className="font-[550] hover:text-accent-ink hover:underline"
        >
          {flavor.name}
        </Link>{' '}
        {flavor.isDisabled ? <Tag tone="warn">disabled</Tag> : null}
        <p className="text-ink2 text-small">{accessText(flavor)}</p>
        <p className="text-ink2 text-small md:hidden">{flavor.asks}</p>
      </>
    ),
  },
  {
    id: 'requests',
    header: 'Requests',
    phone: 'hidden',
    className: 'min-w-56',
    cell: (flavor, { cloud }) => (
      <>
        {flavor.asks}
        <Nearest flavor={flavor} cloud={cloud} />
      </>
    ),
  },
  {
    id: 'fits',
    header: 'Fit now',
    title: 'Servers over all hosts, one after the other',
    sort: 'fits',
    isNumber: true,
    className: (flavor) => classNames('whitespace-nowrap font-[550]', isFull(flavor) && 'text-warn'),
    cell: (flavor) => <Figure flavor={flavor} value={flavor.fits} />,
  },
  {
    id: 'at_once',
    header: 'At once',
    title: 'Maximum for one request',
    sort: 'at-once',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: (flavor) => <Figure flavor={flavor} value={flavor.atOnce} />,
  },
  {
    id: 'hosts',
    header: 'Hosts now / empty',
    title: 'Hosts that fit a server now, and hosts that fit one when empty',
    sort: 'hosts',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ fittingHosts, possibleHosts, unknownHosts }) => (
      <>
        {fittingHosts === 0 && unknownHosts > 0 ? <Unknown reason="hosts are not known" /> : fittingHosts}{' '}
        <span className="text-ink3">
          / {possibleHosts ?? <Unknown reason="not every host was found in Placement" />}
        </span>
      </>
    ),
  },
  {
    id: 'placement',
    header: 'By Placement',
    title: 'Capacity according to Placement only',
    isNumber: true,
    className: ({ byPlacement, fits, unknownHosts }) =>
      byPlacement > fits && unknownHosts === 0 && 'text-warn',
    cell: ({ byPlacement, unknownHosts, nearest }) =>
      byPlacement === 0 && unknownHosts > 0 ? (
        <Unknown reason={nearest?.because ?? 'the hosts are unknown'} />
      ) : (
        formatCount(byPlacement)
      ),
  },
  {
    id: 'servers',
    header: 'Servers',
    title: 'Servers with this flavor on hosts with GPUs',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ servers }) =>
      servers === null ? <Unknown reason="Nova’s servers have not been read" /> : formatCount(servers),
  },
  {
    id: 'findings',
    header: 'Findings',
    sort: 'findings',
    className: 'min-w-52',
    cell: (flavor, { cloud }) => (
      <ul>
        {flavor.findings.map(({ id, severity, sentence }) => (
          <li key={id}>
            <Link href={findingPath({ cloud, id })} prefetch={false} className="hover:underline">
              <SeverityText severity={severity}>
                <TimedText text={asSentence(sentence, [flavor.name])} />
              </SeverityText>
            </Link>
          </li>
        ))}
      </ul>
    ),
  },
]
