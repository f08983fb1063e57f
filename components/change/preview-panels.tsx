import Link from 'next/link'
import { Fragment } from 'react'
import { asSentence } from '@/components/finding/finding-words'
import { TimedText } from '@/components/shell/timed-text'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import type { ChangePlan } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { gpuPath } from '@/lib/util/paths'

type Preview = ChangePlan['preview']

const MOST_LISTED = 12
const MOST_NAMED = 4

const GpuName = ({ host, address, cloud }: { host: string; address: string; cloud: string | null }) => (
  <Link href={gpuPath({ cloud, host, address })} className="text-accent-ink hover:underline">
    {host} <span className="font-mono text-small">{address}</span>
  </Link>
)

const More = ({ count }: { count: number }) =>
  count <= MOST_LISTED ? null : <li className="text-ink3">and {count - MOST_LISTED} more</li>

/** Requested pGPUs that are skipped, each with its reason. */
export const LeftAlone = ({ refusals, cloud }: Pick<Preview, 'refusals'> & { cloud: string | null }) =>
  refusals.length === 0 ? null : (
    <Panel title="Skipped" note={formatNoun(refusals.length, 'pGPU')}>
      <ul className="flex flex-col gap-1.5">
        {refusals.slice(0, MOST_LISTED).map(({ reason, ...target }) => (
          <li key={`${target.host} ${target.address} ${reason}`}>
            <GpuName {...target} cloud={cloud} />
            <p className="text-ink2 wrap-anywhere">
              <TimedText text={reason} />.
            </p>
          </li>
        ))}
        <More count={refusals.length} />
      </ul>
    </Panel>
  )

/** pGPUs that the steps touch, and how many need nothing. */
export const TouchedPgpus = ({
  preview: { targets, unchanged },
  cloud,
  unchangedWords,
}: {
  preview: Preview
  cloud: string | null
  /** `already have their traits.` */
  unchangedWords: string
}) => (
  <Panel title="pGPUs" note={formatNoun(targets.length, 'pGPU')}>
    <ul className="flex flex-col gap-0.5">
      {targets.slice(0, MOST_LISTED).map((target) => (
        <li key={`${target.host} ${target.address}`}>
          <GpuName {...target} cloud={cloud} />
        </li>
      ))}
      <More count={targets.length} />
    </ul>
    {unchanged.length === 0 ? null : (
      <p className="mt-2 text-ink2">
        {formatNoun(unchanged.length, 'more pGPU')} {unchangedWords}
      </p>
    )}
  </Panel>
)

type Reach = Preview['flavors'][number]

const roomWords = ({ room }: Reach): string => {
  if (room === undefined) return '.'
  return room.pgpus === null
    ? `. The free capacity is unknown: ${asSentence(room.because ?? 'no response from Placement')}`
    : `; ${room.pgpus} of them had free capacity in Placement at planning.`
}

const Named = ({
  word,
  gpus,
  count = gpus?.length ?? 0,
  cloud,
}: {
  word: string
  gpus: Reach['gains']
  count: number | undefined
  cloud: string | null
}) =>
  gpus === undefined || gpus.length === 0 ? null : (
    <p className="text-ink2 wrap-anywhere">
      {word}{' '}
      {gpus.slice(0, MOST_NAMED).map((gpu, place) => (
        <Fragment key={`${gpu.host} ${gpu.address}`}>
          {place === 0 ? null : ', '}
          <GpuName {...gpu} cloud={cloud} />
        </Fragment>
      ))}
      {count > MOST_NAMED ? ` and ${count - MOST_NAMED} more` : null}.
    </p>
  )

const FlavorItem = ({ reach, cloud }: { reach: Reach; cloud: string | null }) => (
  <li>
    <b className="font-semibold wrap-anywhere">{reach.name}</b> matches {formatNoun(reach.after, 'pGPU')}{' '}
    instead of {reach.before}
    {roomWords(reach)}
    <Named word="Added:" gpus={reach.gains} count={reach.gainCount} cloud={cloud} />
    <Named word="Removed:" gpus={reach.loses} count={reach.loseCount} cloud={cloud} />
  </li>
)

/** What a change means for flavors, which pGPUs it leaves alone, and why. */
export const PreviewPanels = ({ preview, cloud }: { preview: Preview; cloud: string | null }) => {
  const { refusals, flavors } = preview
  const { first, more } = useMoreRows(flavors, MOST_LISTED)
  return (
    <>
      <Panel title="What this changes">
        <ul className="flex flex-col gap-1.5">
          {first.map((reach) => (
            <FlavorItem key={reach.flavorId} reach={reach} cloud={cloud} />
          ))}
          {flavors.length === 0 ? <li>No flavor matches more or fewer pGPUs.</li> : null}
          <li className="text-ink2">
            No server is affected. Traits are used only when a server is scheduled.
          </li>
        </ul>
        {more}
      </Panel>
      <TouchedPgpus preview={preview} cloud={cloud} unchangedWords="already have their traits." />
      <LeftAlone refusals={refusals} cloud={cloud} />
    </>
  )
}
