import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { ForecastGroup } from '@/lib/schemas/api/forecast'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import {
  errorNote,
  errorWords,
  type FullWords,
  fullWords,
  growthPerWeekWords,
  noBetterNote,
  noneWords,
  SINCE_NOTE,
} from './forecast-words'

const TONES: Readonly<Record<FullWords['tone'], string>> = {
  bad: 'text-bad',
  warn: 'text-warn',
  plain: '',
  quiet: 'text-ink3',
}

const Full = ({ group, today }: { group: ForecastGroup; today: string }) => {
  const { text, tone } = fullWords(group, today)
  // The most frequent reason is shown once below the table.
  const { none } = group
  const because = none === null || none.reason === 'no-better' ? null : noneWords(none, today).because
  return (
    <>
      <span className={classNames('font-[550]', TONES[tone])}>{text}</span>
      {because === null ? null : <span className="block text-ink3 text-small max-sm:hidden">{because}</span>}
    </>
  )
}

const Row = ({
  group,
  today,
  isChosen,
  onChoose,
}: {
  group: ForecastGroup
  today: string
  isChosen: boolean
  onChoose: (() => void) | null
}) => {
  const label = group.label === '' ? 'all' : group.label
  const { capacity, used, growthPerWeek } = group
  const errors = errorWords(group)
  const none = group.none === null ? 'there is no forecast' : noneWords(group.none, today).because
  return (
    <Tr {...(isChosen ? { className: '[&>td]:bg-sel' } : {})}>
      <Td className="min-w-20">
        {onChoose === null ? (
          label
        ) : (
          <button
            type="button"
            aria-pressed={isChosen}
            onClick={onChoose}
            className="text-left font-[550] text-accent-ink break-words hover:underline"
          >
            <span className="sr-only">Forecast of </span>
            {label}
          </button>
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {used === null || capacity === null ? (
          <Unknown reason="nobody watched it" />
        ) : (
          `${formatCount(used)} / ${formatCount(capacity)}`
        )}
      </Td>
      <Td isNumber>
        {growthPerWeek === null ? <Unknown reason={none} /> : growthPerWeekWords(growthPerWeek)}
      </Td>
      <Td isNumber className="whitespace-nowrap max-sm:hidden">
        {errors === null ? <Unknown reason={none} /> : errors}
      </Td>
      <Td className="text-right">
        <Full group={group} today={today} />
      </Td>
    </Tr>
  )
}

/** One row for each group, with when it is full; pressing one shows its forecast day by day. */
export const ForecastTable = ({
  groups,
  head,
  today,
  chosen,
  onChoose,
}: {
  groups: readonly ForecastGroup[]
  head: string
  today: string
  chosen: string | null
  /** Null: it is one group alone, which is shown anyway. */
  onChoose: ((key: string | null) => void) | null
}) => {
  const { first, more } = useMoreRows(groups, 20)
  const notes = [
    groups.some(({ exhaustion }) => exhaustion?.kind === 'full') ? SINCE_NOTE : null,
    noBetterNote(groups),
  ].filter((note) => note !== null)
  const ofErrors = errorNote(groups)
  return (
    <>
      <Table aria-label="When groups will be full">
        <thead>
          <tr>
            <Th>{head}</Th>
            <Th isNumber>7-day peak</Th>
            <Th isNumber>A week</Th>
            <Th isNumber className="max-sm:hidden">
              Error / as it is
            </Th>
            <Th className="text-right">Full</Th>
          </tr>
        </thead>
        <tbody>
          {first.map((group) => (
            <Row
              key={group.key}
              group={group}
              today={today}
              isChosen={group.key === chosen}
              onChoose={onChoose === null ? null : () => onChoose(group.key === chosen ? null : group.key)}
            />
          ))}
        </tbody>
      </Table>
      {more}
      {notes.map((note) => (
        <p key={note} className="mt-2 text-ink3 text-small">
          {note}
        </p>
      ))}
      {ofErrors === null ? null : <p className="mt-2 text-ink3 text-small max-sm:hidden">{ofErrors}</p>}
    </>
  )
}
