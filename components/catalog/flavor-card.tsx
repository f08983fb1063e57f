import { KeyValue, KeyValues, Unknown } from '@/components/ui/key-values'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { classNames } from '@/lib/util/class-names'
import { formatMib } from '@/lib/util/format'
import { AvailabilityMark } from './availability-mark'
import {
  cardNote,
  displayWords,
  driverWords,
  flavorTitle,
  licenceWords,
  memoryWords,
  purposeSentence,
} from './catalog-words'
import { FlavorActions } from './flavor-actions'

const NOT_TOLD = 'the driver does not say it'

/** A flavor in a tenant's words. */
export const FlavorCard = ({ flavor }: { flavor: CatalogFlavor }) => {
  const note = cardNote(flavor)
  const purpose = purposeSentence(flavor)
  const driver = driverWords(flavor)
  return (
    <article
      aria-label={flavor.name}
      className="flex flex-col gap-[9px] rounded-panel border border-line bg-panel px-4 py-3.5"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="m-0 font-semibold text-[15px] tracking-[-0.01em]">{flavorTitle(flavor)}</h2>
        <code className="min-w-0 break-all text-ink3">{flavor.name}</code>
      </div>
      {purpose === null ? null : <p className="text-ink2">{purpose}</p>}
      <AvailabilityMark flavor={flavor} />
      <KeyValues className="!gap-x-2 !gap-y-[3px]">
        <KeyValue label="GPU memory">{memoryWords(flavor) ?? <Unknown reason={NOT_TOLD} />}</KeyValue>
        <KeyValue label="Displays">{displayWords(flavor) ?? <Unknown reason={NOT_TOLD} />}</KeyValue>
        <KeyValue label="Licence">{licenceWords(flavor) ?? <Unknown reason={NOT_TOLD} />}</KeyValue>
        {driver === null ? null : <KeyValue label="Driver in image">{driver}</KeyValue>}
        <KeyValue label="vCPU, memory">
          {flavor.vcpus}, {formatMib(flavor.memoryMib)}
        </KeyValue>
        <KeyValue label="Disk">{flavor.diskGib} GiB</KeyValue>
      </KeyValues>
      {note === null ? null : (
        <p className={classNames('text-ink2', flavor.room.state === 'short' && 'text-warn')}>{note}</p>
      )}
      <div className="mt-auto pt-1">
        <FlavorActions flavor={flavor} />
      </div>
    </article>
  )
}
