import Link from 'next/link'
import { Fragment } from 'react'
import { asSentence } from '@/components/finding/finding-labels'
import { TimedText } from '@/components/shell/timed-text'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import type { ChangePlan } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { gpuPath } from '@/lib/util/paths'

type Preview = ChangePlan['preview']

const MAX_LISTED = 12
const MAX_NAMED = 4

const GpuName = ({ host, address, cloud }: { host: string; address: string; cloud: string | null }) => (
  <Link href={gpuPath({ cloud, host, address })} className="text-accent-ink hover:underline">
    {host} <span className="font-mono text-small">{address}</span>
  </Link>
)

const More = ({ count }: { count: number }) =>
  count <= MAX_LISTED ? null : <li className="text-ink3">and {count - MAX_LISTED} more</li>

/** Requested pGPUs that are skipped, each with its reason. */
export const LeftAlone = ({ refusals, cloud }: Pick<Preview, 'refusals'> & { cloud: string | null }) =>
  refusals.length === 0 ? null : (
    <Panel title="Skipped" note={formatNoun(refusals.length, 'pGPU')}>
      <ul className="flex flex-col gap-1.5">
        {refusals.slice(0, MAX_LISTED).map(({ reason, ...target }) => (
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
  unchangedText,
}: {
  preview: Preview
  cloud: string | null
  /** `already have their traits.` */
  unchangedText: string
}) => (
  <Panel title="pGPUs" note={formatNoun(targets.length, 'pGPU')}>
    <ul className="flex flex-col gap-0.5">
      {targets.slice(0, MAX_LISTED).map((target) => (
        <li key={`${target.host} ${target.address}`}>
          <GpuName {...target} cloud={cloud} />
        </li>
      ))}
      <More count={targets.length} />
    </ul>
    {unchanged.length === 0 ? null : (
      <p className="mt-2 text-ink2">
        {formatNoun(unchanged.length, 'more pGPU')} {unchangedText}
      </p>
    )}
  </Panel>
)

type FlavorMatch = Preview['flavors'][number]

const formatCapacity = ({ freeCapacity: capacity }: FlavorMatch): string => {
  if (capacity === undefined) return '.'
  return capacity.pgpus === null
    ? `. The free capacity is unknown: ${asSentence(capacity.because ?? 'no response from Placement')}`
    : `; ${capacity.pgpus} of them had free capacity in Placement at planning.`
}

const Named = ({
  word,
  gpus,
  count = gpus?.length ?? 0,
  cloud,
}: {
  word: string
  gpus: FlavorMatch['gains']
  count: number | undefined
  cloud: string | null
}) =>
  gpus === undefined || gpus.length === 0 ? null : (
    <p className="text-ink2 wrap-anywhere">
      {word}{' '}
      {gpus.slice(0, MAX_NAMED).map((gpu, index) => (
        <Fragment key={`${gpu.host} ${gpu.address}`}>
          {index === 0 ? null : ', '}
          <GpuName {...gpu} cloud={cloud} />
        </Fragment>
      ))}
      {count > MAX_NAMED ? ` and ${count - MAX_NAMED} more` : null}.
    </p>
  )

const FlavorItem = ({ flavor, cloud }: { flavor: FlavorMatch; cloud: string | null }) => (
  <li>
    <b className="font-semibold wrap-anywhere">{flavor.name}</b> matches {formatNoun(flavor.after, 'pGPU')}{' '}
    instead of {flavor.before}
    {formatCapacity(flavor)}
    <Named word="Added:" gpus={flavor.gains} count={flavor.gainCount} cloud={cloud} />
    <Named word="Removed:" gpus={flavor.loses} count={flavor.loseCount} cloud={cloud} />
  </li>
)

/** What a change means for flavors, which pGPUs it leaves alone, and why. */
export const PreviewPanels = ({ preview, cloud }: { preview: Preview; cloud: string | null }) => {
  const { refusals, flavors } = preview
  const { first, more } = useMoreRows(flavors, MAX_LISTED)
  return (
    <>
      <Panel title="What this changes">
        <ul className="flex flex-col gap-1.5">
          {first.map((flavor) => (
            <FlavorItem key={flavor.flavorId} flavor={flavor} cloud={cloud} />
          ))}
          {flavors.length === 0 ? <li>No flavor matches more or fewer pGPUs.</li> : null}
          <li className="text-ink2">
            No server is affected. Traits are used only when a server is scheduled.
          </li>
        </ul>
        {more}
      </Panel>
      <TouchedPgpus preview={preview} cloud={cloud} unchangedText="already have their traits." />
      <LeftAlone refusals={refusals} cloud={cloud} />
    </>
  )
}
