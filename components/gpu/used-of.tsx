import { Unknown } from '@/components/ui/key-values'

type UsedOfProps = {
  used: number | null
  capacity: number | null
  /** Minimum and maximum of vGPUs of the supported types; shown as the capacity while there is no type. */
  range: readonly [number, number] | null
  /** Why the first unknown number is unknown. */
  reason: string | null
}

const rangeText = ([fewest, max]: readonly [number, number]): string =>
  fewest === max ? String(max) : `${fewest}–${max}`

/** "9 / 12". For a card with an unknown capacity only the use is shown. */
export const UsedOf = ({ used, capacity, range, reason }: UsedOfProps) => {
  if (capacity === null && range !== null && used !== null)
    return (
      <>
        {used} /{' '}
        <span title={`${reason ?? 'no type yet'}: range of the supported types`}>{rangeText(range)}</span>
      </>
    )
  if (capacity === null && (used ?? 0) === 0) return <Unknown reason={reason} />
  return (
    <>
      {used ?? <Unknown reason={reason} />} / {capacity ?? <Unknown reason={reason} />}
    </>
  )
}
