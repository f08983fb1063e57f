import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { classNames } from '@/lib/util/class-names'
import { AVAILABILITY_LABELS } from './catalog-text'

const marks: Readonly<Record<CatalogFlavor['availability'], string>> = {
  free: 'bg-accent',
  few: 'border-[2.5px] border-warn',
  none: 'border-2 border-ink3',
  unknown: 'border-2 border-ink3 border-dotted',
}

/** How much is free, as an icon and a label. */
export const AvailabilityMark = ({ flavor }: { flavor: Pick<CatalogFlavor, 'availability'> }) => (
  <span className="inline-flex items-center gap-[7px] font-[550]">
    <span
      aria-hidden
      className={classNames(
        'size-[9px] flex-none rounded-full forced-colors:forced-color-adjust-none',
        marks[flavor.availability],
      )}
    />
    {AVAILABILITY_LABELS[flavor.availability]}
  </span>
)
