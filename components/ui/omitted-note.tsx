import { formatCount } from '@/lib/util/format'

/** States that a list has only its first entries; null: it has all. */
export const OmittedNote = ({ listed, count }: { listed: number; count: number }) =>
  listed >= count ? null : (
    <p className="mt-2 text-ink3">
      Only the first {formatCount(listed)} of {formatCount(count)} are listed.
    </p>
  )
