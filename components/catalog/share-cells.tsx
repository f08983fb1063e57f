import { ShareBar } from '@/components/ui/share-bar'
import type { CatalogCard, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { classNames } from '@/lib/util/class-names'

/** More parts are drawn as one bar: a page of cards stays small. */
const MAX_CELLS = 8

/** The share that all cards of a flavor have in common. */
const commonShare = ([first, ...others]: readonly CatalogCard[]): CatalogCard['share'] => {
  const share = first?.share ?? null
  const isSame = (card: CatalogCard) => JSON.stringify(card.share) === JSON.stringify(share)
  return others.every(isSame) ? share : null
}

/** The share of one GPU, drawn: of its compute, a cell for each part. Screen readers read the text next to it. */
export const ShareCells = ({ flavor }: { flavor: Pick<CatalogFlavor, 'cards'> }) => {
  const share = commonShare(flavor.cards)
  if (share === null) return null
  const { part, of } = share.compute
  return (
    <span aria-hidden className="flex h-4 min-w-16 flex-1 items-center gap-0.5">
      {of > MAX_CELLS ? (
        <ShareBar share={part / of} />
      ) : (
        Array.from({ length: of }, (_, index) => `cell-${index}`).map((key, index) => (
          <span
            key={key}
            className={classNames(
              'h-4 min-w-0 flex-1 rounded-[3px] border',
              index < part ? 'cell-used' : 'cell-free',
            )}
          />
        ))
      )}
    </span>
  )
}
