import Link from 'next/link'
import { asSentence } from '@/components/finding/finding-words'
import { fitsText, openBecause } from '@/components/fit/fit-words'
import { TimedText, useTimedWords } from '@/components/shell/timed-text'
import { Unknown } from '@/components/ui/key-values'
import { SeverityText } from '@/components/ui/severity-text'
import { Td, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { isFull } from '@/lib/domain/flavor/arrange-flavors'
import type { FlavorSummary } from '@/lib/schemas/api/flavor'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { findingPath, flavorPath, hostPath } from '@/lib/util/paths'
import { accessText } from './access-words'

const Figure = ({ flavor, value }: { flavor: FlavorSummary; value: number }) => {
  const text = fitsText({ ...flavor, fits: value })
  const because = openBecause(flavor)
  const timed = useTimedWords()
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
      {kind === 'unknown' ? 'Can’t tell: ' : 'Nearest: '}
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

const Hosts = ({ fittingHosts, possibleHosts, unknownHosts }: FlavorSummary) => (
  <>
    {fittingHosts === 0 && unknownHosts > 0 ? <Unknown reason="hosts are not known" /> : fittingHosts}{' '}
    <span className="text-ink3">
      / {possibleHosts ?? <Unknown reason="not every host was found in Placement" />}
    </span>
  </>
)

/** One flavor of the list. */
export const FlavorRow = ({ flavor, cloud }: { flavor: FlavorSummary; cloud: string | null }) => (
  <Tr className="align-baseline hover:bg-bg">
    <Td className="min-w-44">
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
    </Td>
    <Td className="min-w-56 max-md:hidden">
      {flavor.asks}
      <Nearest flavor={flavor} cloud={cloud} />
    </Td>
    <Td isNumber className={classNames('whitespace-nowrap font-[550]', isFull(flavor) && 'text-warn')}>
      <Figure flavor={flavor} value={flavor.fits} />
    </Td>
    <Td isNumber className="whitespace-nowrap">
      <Figure flavor={flavor} value={flavor.atOnce} />
    </Td>
    <Td isNumber className="whitespace-nowrap">
      <Hosts {...flavor} />
    </Td>
    <Td
      isNumber
      className={classNames(flavor.byPlacement > flavor.fits && flavor.unknownHosts === 0 && 'text-warn')}
    >
      {flavor.byPlacement === 0 && flavor.unknownHosts > 0 ? (
        <Unknown reason={flavor.nearest?.because ?? 'hosts are not known'} />
      ) : (
        formatCount(flavor.byPlacement)
      )}
    </Td>
    <Td isNumber className="whitespace-nowrap">
      {flavor.servers === null ? (
        <Unknown reason="Nova’s servers were never read" />
      ) : (
        formatCount(flavor.servers)
      )}
    </Td>
    <Td className="min-w-52">
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
    </Td>
  </Tr>
)
