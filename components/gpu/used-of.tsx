import { Unknown } from '@/components/ui/key-values'

type UsedOfProps = {
  used: number | null
  capacity: number | null
  /** Fewest and most vGPUs of the supported types; stands for the capacity while there is no type. */
  range: readonly [number, number] | null
  /** Why the first unknown number is unknown. */
  reason: string | null
}

const rangeText = ([fewest, most]: readonly [number, number]): string =>
  fewest === most ? String(most) : `${fewest}–${most}`

/** "9 / 12". Of a card whose capacity is unknown only what is used says something. */
export const UsedOf = ({ used, capacity, range, reason }: UsedOfProps) => {
  if (capacity === null && range !== null && used !== null)
    return (
      <>
        {used} /{' '}
        <span title={`${reason ?? 'no type yet'}: the supported types allow so many`}>
          {rangeText(range)}
        </span>
      </>
    )
  if (capacity === null && (used ?? 0) === 0) return <Unknown reason={reason} />
  return (
    <>
      {used ?? <Unknown reason={reason} />} / {capacity ?? <Unknown reason={reason} />}
    </>
  )
}
