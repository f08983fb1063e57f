import Link from 'next/link'
import { formatMinute } from '@/components/charts/chart-moments'
import { useMoreRows } from '@/components/ui/more-rows'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { CapacityMark, CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import { formatNoun, zoneText } from '@/lib/util/format'
import { changePath, changesPath, findingPath, findingsPath, hostPath, hostsPath } from '@/lib/util/paths'

const linkStyle = 'text-accent-ink underline'

type Way = { href: string; words: string }

const wayTo = (of: CapacityMark['of'][number], cloud: string | null): Way => {
  if (of.kind === 'change') return { href: changePath({ cloud, id: of.id }), words: `change ${of.id}` }
  if (of.kind === 'finding') return { href: findingPath({ cloud, id: of.id }), words: `finding ${of.id}` }
  return { href: hostPath({ cloud, host: of.host }), words: of.host }
}

/** Where everything of the kind is listed, for what a mark or the list leaves out. */
const allOf = (cloud: string | null): Record<CapacityMark['kind'], string> => ({
  change: changesPath({ cloud }),
  'fleet-silent': hostsPath({ cloud }),
  silence: hostsPath({ cloud }),
  finding: findingsPath({ cloud }),
})

const Ways = ({ mark, cloud }: { mark: CapacityMark; cloud: string | null }) => (
  <span className="flex flex-wrap gap-x-2">
    {mark.of.map((of) => {
      const { href, words } = wayTo(of, cloud)
      return (
        <Link key={href} href={href} prefetch={false} className={linkStyle}>
          {words}
        </Link>
      )
    })}
    {mark.count > mark.of.length ? (
      <Link href={allOf(cloud)[mark.kind]} prefetch={false} className={linkStyle}>
        and {mark.count - mark.of.length} more
      </Link>
    ) : null}
  </span>
)

const More = ({ more, cloud }: { more: CapacityMarks['more']; cloud: string | null }) => {
  const all = allOf(cloud)
  const rest = [
    { count: more.changes, words: formatNoun(more.changes, 'change'), href: all.change },
    { count: more.silences, words: `${formatNoun(more.silences, 'silent host')}`, href: all.silence },
    { count: more.findings, words: formatNoun(more.findings, 'finding'), href: all.finding },
  ].filter(({ count }) => count > 0)
  return rest.length === 0 ? null : (
    <p className="mt-1.5 flex flex-wrap gap-x-2 text-ink2 text-small">
      Not shown in the chart:
      {rest.map(({ words, href }) => (
        <Link key={href} href={href} prefetch={false} className={linkStyle}>
          {words} more
        </Link>
      ))}
    </p>
  )
}

const bringIntoView = (row: HTMLTableRowElement | null): void => row?.scrollIntoView({ block: 'nearest' })

/** The meaning of the lines in the chart. Hovering over a row, or a link in it, highlights its line. */
export const MarksTable = ({
  data,
  cloud,
  isPart,
  zone,
  opened,
  onPoint,
}: {
  data: CapacityMarks
  cloud: string | null
  /** They are of a part of the cloud. */
  isPart: boolean
  /** Of the chart's clocks. */
  zone: string
  /** Numbers of the marks whose words in the chart were pressed. */
  opened: readonly number[]
  /** The number of the mark that is pointed at, from 1; null: none is. */
  onPoint: (number: number | null) => void
}) => {
  const numbered = data.marks.map((mark, index) => ({ mark, number: index + 1 }))
  const { first, more } = useMoreRows(numbered, 8)
  const isOpened = opened.some((number) => number > first.length)
  const shown = isOpened ? numbered : first
  if (numbered.length === 0)
    return (
      <p className="mt-2 text-ink3 text-small">
        No change ended and no incident began in this range{isPart ? ' for this selection' : ''}.
      </p>
    )
  return (
    <>
      <Table aria-label="Events in the chart" className="mt-2">
        <thead>
          <tr>
            <Th isNumber>No.</Th>
            <Th>Time ({zoneText(zone)})</Th>
            <Th>Event</Th>
            <Th className="max-sm:hidden">Details</Th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ mark, number }) => (
            <Tr
              key={number}
              ref={number === opened[0] ? bringIntoView : null}
              aria-current={opened.includes(number) ? 'true' : undefined}
              className="hover:bg-bg focus-within:bg-bg aria-[current=true]:bg-accent2"
              onMouseEnter={() => onPoint(number)}
              onMouseLeave={() => onPoint(null)}
              onFocus={() => onPoint(number)}
              onBlur={() => onPoint(null)}
            >
              <Td isNumber>{number}</Td>
              <Td className="whitespace-nowrap">{formatMinute(Date.parse(mark.at), zone)}</Td>
              <Td className="wrap-anywhere">
                {mark.label}
                <span className="sm:hidden">
                  <Ways mark={mark} cloud={cloud} />
                </span>
              </Td>
              <Td className="max-sm:hidden">
                <Ways mark={mark} cloud={cloud} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {isOpened ? null : more}
      <More more={data.more} cloud={cloud} />
      {isPart ? (
        <p className="mt-1.5 text-ink3 text-small">The events concern the current pGPUs of this selection.</p>
      ) : null}
    </>
  )
}
