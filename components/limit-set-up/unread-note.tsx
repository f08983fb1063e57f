import { formatNoun } from '@/lib/util/format'

/** Projects that a list leaves out; none: nothing. */
export const UnreadNote = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <p className="mt-2 text-ink3">
      {formatNoun(count, 'more project is', 'more projects are')} not read. Projects with servers on GPU hosts
      come first, then projects with limits.
    </p>
  )
