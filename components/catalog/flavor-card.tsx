import { KeyValue, KeyValues, Unknown } from '@/components/ui/key-values'
import { Tag } from '@/components/ui/tag'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { formatMoney } from '@/lib/util/format-money'
import { AvailabilityMark } from './availability-mark'
import {
  flavorTitle,
  isolationText,
  limitSentence,
  purposeText,
  quotaLeftText,
  shareText,
  sizeText,
  unknownShare,
} from './catalog-text'
import { CompareChoice } from './compare-choice'
import { FlavorActions } from './flavor-actions'
import { ShareCells } from './share-cells'

const Share = ({ flavor }: { flavor: CatalogFlavor }) => {
  const share = shareText(flavor)
  const isolation = isolationText(flavor)
  return (
    <div className="flex items-center gap-2.5 text-small">
      <ShareCells flavor={flavor} />
      <span className="flex flex-wrap items-center gap-x-[7px]">
        <b className="font-semibold">{share ?? <Unknown reason={unknownShare(flavor)} />}</b>
        {isolation === null ? null : <Tag tone={isolation === 'MIG' ? 'accent' : 'quiet'}>{isolation}</Tag>}
        {isolation === null && share !== null ? (
          <Tag title="The driver does not report how servers share the GPU, or the GPUs of the flavor differ.">
            isolation unknown
          </Tag>
        ) : null}
      </span>
    </div>
  )
}

/** A flavor in a tenant's words. */
export const FlavorCard = ({ flavor }: { flavor: CatalogFlavor }) => {
  const purposes = purposeText(flavor)
  return (
    <article
      aria-label={flavor.name}
      className="flex min-w-0 break-inside-avoid flex-col gap-[9px] rounded-panel border border-line bg-panel px-3.5 py-3"
    >
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="m-0 font-[650] text-[14px] leading-5">{flavorTitle(flavor)}</h2>
          <code className="break-all text-ink3">{flavor.name}</code>
        </div>
        <CompareChoice flavor={flavor} />
      </div>
      <Share flavor={flavor} />
      <KeyValues className="!grid-cols-[78px_1fr] !gap-x-2 !gap-y-0.5">
        <KeyValue label="Status">
          <AvailabilityMark flavor={flavor} />
        </KeyValue>
        <KeyValue label="Quota left">
          {quotaLeftText(flavor) ?? <Unknown reason="the use of your project could not be read" />}
        </KeyValue>
        {flavor.pricePerHour === null ? null : (
          <KeyValue label="Price">
            <b className="font-semibold">{formatMoney(flavor.pricePerHour)}</b> per hour
          </KeyValue>
        )}
      </KeyValues>
      {flavor.headroom.state === 'short' ? (
        <p className="text-small text-warn">{limitSentence(flavor)}</p>
      ) : null}
      <p className="text-ink2 text-small">
        {purposes === null ? null : (
          <>
            {purposes}
            <br />
          </>
        )}
        {sizeText(flavor)}
      </p>
      <div className="mt-auto">
        <FlavorActions flavor={flavor} />
      </div>
    </article>
  )
}
