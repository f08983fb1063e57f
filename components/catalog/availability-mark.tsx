import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { classNames } from '@/lib/util/class-names'
import { formatAvailability } from './catalog-text'

const marks: Readonly<Record<CatalogFlavor['availability'], string>> = {
  free: 'bg-accent',
  few: 'border-[2.5px] border-warn',
  none: 'border-2 border-ink3',
  unknown: 'border-2 border-ink3 border-dotted',
}

/** The main blocker, or how much is free, as an icon and a word. */
export const AvailabilityMark = ({
  flavor,
}: {
  flavor: Pick<CatalogFlavor, 'availability' | 'usualWait' | 'headroom'>
}) => {
  const isShort = flavor.headroom.state === 'short'
  return (
    <span className="inline-flex items-center gap-[7px] font-[550]">
      <span
        aria-hidden
        className={classNames(
          'size-[9px] flex-none rounded-full forced-colors:forced-color-adjust-none',
          isShort ? marks.none : marks[flavor.availability],
        )}
      />
      {isShort ? 'Over your limit' : formatAvailability(flavor)}
    </span>
  )
}
