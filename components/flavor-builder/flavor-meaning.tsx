import Link from 'next/link'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import type { FlavorChangePreview, PlacementPreview } from '@/lib/schemas/api/flavor-change'
import { formatCount, formatNoun } from '@/lib/util/format'
import { flavorPath } from '@/lib/util/paths'

type Effect = FlavorChangePreview['flavors'][number]

const PLACEMENT_LABELS: Readonly<Record<PlacementPreview['placement']['state'], string>> = {
  answered: 'Placement reports',
  refused: 'Placement rejects the query',
  away: 'Placement is not responding',
  'not-asked': 'Placement was not queried',
}

const formatPlacement = ({ state, candidates, because }: PlacementPreview['placement']): string => {
  const reason = because?.replace(/\.$/, '') ?? null
  if (state !== 'answered') {
    const words = PLACEMENT_LABELS[state]
    return reason === null || reason.startsWith(words) ? (reason ?? words) : `${words}: ${reason}`
  }
  return candidates === 0
    ? `${PLACEMENT_LABELS[state]} that no host has capacity now`
    : `${PLACEMENT_LABELS[state]} ${formatNoun(candidates ?? 0, 'candidate')}`
}

const formatFit = ({ fits, fittingHosts, possibleHosts, unknownHosts }: PlacementPreview): string => {
  if (fits > 0)
    return `${formatCount(fits)} fit now, on ${formatNoun(fittingHosts, 'host')}${possibleHosts === null ? '' : ` of ${possibleHosts} that match when empty`}.`
  if (unknownHosts > 0 || possibleHosts === null) return 'The available capacity is unknown.'
  return possibleHosts === 0
    ? 'No server fits, even if every host were empty.'
    : `No server fits now. ${formatNoun(possibleHosts, 'host matches', 'hosts match')} when empty.`
}

const isPoor = ({ fits, placement }: PlacementPreview): boolean =>
  fits === 0 || placement.state === 'refused' || placement.candidates === 0

/** Whether the flavor fits now, according to the last reading and to Placement. */
const PreviewItem = ({ preview }: { preview: PlacementPreview }) => (
  <>
    <p className={isPoor(preview) ? 'text-warn' : ''}>{formatFit(preview)}</p>
    {preview.because === null ? null : (
      <p className="text-ink2 text-small wrap-anywhere">Closest host: {preview.because}</p>
    )}
    <p className="text-ink2 text-small wrap-anywhere">{formatPlacement(preview.placement)}.</p>
    <p className="font-mono text-ink3 text-small wrap-anywhere">{preview.query}</p>
  </>
)

const Specs = ({ specs, isNew }: Pick<Effect, 'specs' | 'isNew'>) => (
  <ul className="my-1">
    {specs
      .filter(({ before, after }) => isNew || before !== after)
      .map(({ key, before, after }) => (
        <li key={key} className="font-mono text-small wrap-anywhere">
          {before !== null && before !== after ? (
            <del className="text-ink3">
              {key}={before}
            </del>
          ) : null}{' '}
          {after === null ? null : (
            <ins className="no-underline">
              {key}={after}
            </ins>
          )}
        </li>
      ))}
  </ul>
)

const copyText = ({ servers, isNew }: Effect): string | null => {
  if (isNew || servers === 0) return null
  return servers === null
    ? 'Existing servers keep the previous settings.'
    : `${formatNoun(servers, 'existing server keeps', 'existing servers keep')} the previous settings. Only new or resized servers get the new ones.`
}

const EffectItem = ({ effect, cloud }: { effect: Effect; cloud: string | null }) => {
  const copy = copyText(effect)
  return (
    <li>
      <p className="wrap-anywhere">
        {effect.isNew ? (
          <b className="font-semibold">{effect.name}</b>
        ) : (
          <Link
            href={flavorPath({ cloud, flavor: effect.id })}
            prefetch={false}
            className="font-semibold text-accent-ink hover:underline"
          >
            {effect.name}
          </Link>
        )}{' '}
        {effect.isNew ? <Tag tone="accent">new</Tag> : null}
      </p>
      {effect.asksBefore === null || effect.asksBefore === effect.asks ? null : (
        <p className="text-ink3 text-small">was: {effect.asksBefore}</p>
      )}
      <p>{effect.asks}</p>
      <Specs {...effect} />
      {copy === null ? null : <p className="text-ink2">{copy}</p>}
      {effect.placementPreview === null ? null : <PreviewItem preview={effect.placementPreview} />}
    </li>
  )
}

const Refusals = ({ refusals }: Pick<FlavorChangePreview, 'refusals'>) =>
  refusals.length === 0 ? null : (
    <Panel title="Skipped" note={formatNoun(refusals.length, 'flavor')}>
      <ul className="flex flex-col gap-1.5">
        {refusals.map(({ id, name, reason }) => (
          <li key={`${id} ${reason}`} className="wrap-anywhere">
            <b className="font-semibold">{name}</b> <span className="text-warn">{reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )

/** What a change of flavors means: each as it would be, where it lands, and what is refused. */
export const FlavorMeaning = ({ change, cloud }: { change: FlavorChangePreview; cloud: string | null }) => (
  <>
    <Refusals refusals={change.refusals} />
    {change.flavors.length === 0 ? null : (
      <Panel title="What this changes" note={formatNoun(change.flavors.length, 'flavor')}>
        <ul className="flex flex-col gap-3">
          {change.flavors.map((effect) => (
            <EffectItem key={effect.id} effect={effect} cloud={cloud} />
          ))}
        </ul>
        {change.notes.map((note) => (
          <p key={note} className="mt-2 text-ink2 text-small wrap-anywhere">
            {note}
          </p>
        ))}
        {change.unchanged.length === 0 ? null : (
          <p className="mt-2 text-ink2 wrap-anywhere">No changes needed: {change.unchanged.join(', ')}.</p>
        )}
      </Panel>
    )}
  </>
)
