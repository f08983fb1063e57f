import { ConfigTabs } from '@/components/change/config-texts'
import {
  amountText,
  HEADROOM_STATE_TAGS,
  PLAIN_LABELS,
  plainList,
} from '@/components/gpu-headroom/headroom-labels'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { ReservationPreviewDto } from '@/lib/schemas/api/reservation'
import { formatNoun } from '@/lib/util/format'

type Host = ReservationPreviewDto['hosts'][number]

const Lines = ({ before, after }: Pick<Host, 'before' | 'after'>) => (
  <SideScroll>
    <Table>
      <thead>
        <tr>
          <Th>Class</Th>
          <Th isNumber>Capacity before</Th>
          <Th isNumber>after</Th>
          <Th isNumber>Free before</Th>
          <Th isNumber>after</Th>
        </tr>
      </thead>
      <tbody>
        {[...new Set([...before, ...after].map(({ name }) => name))].map((name) => {
          const was = before.find((line) => line.name === name)
          const is = after.find((line) => line.name === name)
          const text = (amount: number | undefined) => (amount === undefined ? '–' : amountText(name, amount))
          return (
            <Tr key={name}>
              <Td>{PLAIN_LABELS[name]}</Td>
              <Td isNumber>{text(was?.capacity)}</Td>
              <Td isNumber className="font-[550]">
                {text(is?.capacity)}
              </Td>
              <Td isNumber>{text(was?.free)}</Td>
              <Td isNumber className="font-[550]">
                {text(is?.free)}
              </Td>
            </Tr>
          )
        })}
      </tbody>
    </Table>
  </SideScroll>
)

const Flavors = ({ flavors }: Pick<Host, 'flavors'>) =>
  flavors.length === 0 ? null : (
    <SideScroll className="mt-2">
      <Table>
        <thead>
          <tr>
            <Th>GPU flavor</Th>
            <Th isNumber>Fit now</Th>
            <Th isNumber>after</Th>
            <Th isNumber>worst case</Th>
          </tr>
        </thead>
        <tbody>
          {flavors.map(({ id, name, before, after, worst, short }) => (
            <Tr key={id}>
              <Td className="wrap-anywhere">
                {name}
                {short.length === 0 ? null : (
                  <span className="block text-ink3 text-small">
                    worst case: not enough {plainList(short)}
                  </span>
                )}
              </Td>
              <Td isNumber>{before}</Td>
              <Td isNumber className="font-[550]">
                {after}
              </Td>
              <Td isNumber className={worst === 0 ? 'text-warn' : ''}>
                {worst}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </SideScroll>
  )

/** A host's room in numbers, before and after. */
export const ReservationHosts = ({ reservation }: { reservation: ReservationPreviewDto }) => (
  <>
    {reservation.hosts.map(({ host, stateBefore, before, after, flavors }) => (
      <Panel key={host} title={host} note="its room before and after">
        <p className="mb-1">
          Now <Tag tone={HEADROOM_STATE_TAGS[stateBefore].tone}>{HEADROOM_STATE_TAGS[stateBefore].word}</Tag>
        </p>
        <Lines before={before} after={after} />
        <Flavors flavors={flavors} />
        {flavors.length === 0 ? null : (
          <p className="mt-2 text-ink3 text-small">
            Worst case: ordinary servers use all capacity that they can get.
          </p>
        )}
      </Panel>
    ))}
  </>
)

const CHECK_TAGS = {
  met: { word: 'holds', tone: 'accent' },
  failed: { word: 'in the way', tone: 'warn' },
  unknown: { word: 'can’t tell', tone: 'quiet' },
} as const

const Checks = ({ checks }: Pick<ReservationPreviewDto, 'checks'>) =>
  checks.length === 0 ? null : (
    <Panel title="Preconditions">
      <ul className="flex flex-col gap-2">
        {checks.map(({ text, isMet, wayOut }) => {
          const { word, tone } = CHECK_TAGS[isMet === null ? 'unknown' : isMet ? 'met' : 'failed']
          return (
            <li key={text} className="wrap-anywhere">
              <Tag tone={tone}>{word}</Tag> {text}
              {wayOut === null || isMet === true ? null : <p className="text-ink2">{wayOut}</p>}
            </li>
          )
        })}
      </ul>
    </Panel>
  )

const FlavorChanges = ({ flavors }: Pick<ReservationPreviewDto, 'flavors'>) =>
  flavors.length === 0 ? null : (
    <Panel title="Flavors" note={`${formatNoun(flavors.length, 'flavor')} written`}>
      <ul className="flex flex-col gap-1.5">
        {flavors.map(({ id, name, key, value, hostsBefore, hostsAfter }) => (
          <li key={id} className="wrap-anywhere">
            <b className="font-semibold">{name}</b>{' '}
            <span className="font-mono text-small">
              {key}={value}
            </span>
            <p className="text-ink2">
              matches {formatNoun(hostsBefore, 'host')} with an agent now, {hostsAfter} after the change
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )

const Moves = ({ moves }: Pick<ReservationPreviewDto, 'moves'>) =>
  moves.length === 0 ? null : (
    <Panel title="Servers to migrate" note={formatNoun(moves.length, 'server')}>
      <ul className="flex flex-col gap-0.5">
        {moves.map(({ serverUuid, name, projectName, flavorName }) => (
          <li key={serverUuid} className="wrap-anywhere">
            <b className="font-semibold">{name}</b> of {projectName}
            <span className="text-ink2">{flavorName === null ? '' : `, ${flavorName}`}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-ink2">Migrated servers stay on their new hosts if the change is rolled back.</p>
    </Panel>
  )

/** What a fence costs and depends on. */
export const ReservationEffects = ({ reservation }: { reservation: ReservationPreviewDto }) => (
  <>
    {reservation.costs.length === 0 ? null : (
      <Panel title="Costs">
        <ul className="flex flex-col gap-1.5">
          {reservation.costs.map((cost) => (
            <li key={cost} className="wrap-anywhere">
              {cost}
            </li>
          ))}
        </ul>
      </Panel>
    )}
    <Checks checks={reservation.checks} />
    <FlavorChanges flavors={reservation.flavors} />
    <Moves moves={reservation.moves} />
  </>
)

/** The options of a fence as deployment tools take them. */
export const ReservationConfigs = ({ reservation }: { reservation: ReservationPreviewDto }) =>
  reservation.configs.length === 0 ? null : (
    <Panel title="For your deployment" note="the options as tools take them">
      <ConfigTabs configs={reservation.configs} />
    </Panel>
  )
