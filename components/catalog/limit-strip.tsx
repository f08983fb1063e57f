import Link from 'next/link'
import { buttonStyle } from '@/components/ui/button'
import { Unknown } from '@/components/ui/key-values'
import type { CatalogLimit } from '@/lib/schemas/api/catalog'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { requestsPath } from '@/lib/util/paths'
import { limitName } from './catalog-text'

/** Up to this many units are drawn one by one. */
const MAX_CELLS = 24

const cell = 'h-[18px] flex-1 rounded-[3px] border forced-colors:forced-color-adjust-none'

const Bar = ({ limit, used }: { limit: number; used: number }) =>
  limit <= MAX_CELLS ? (
    <span aria-hidden className="flex gap-[3px]">
      {Array.from({ length: limit }, (_, index) => `place-${index}`).map((key, index) => (
        <span
          key={key}
          className={classNames(cell, index < used ? 'border-accent bg-accent' : 'border-line bg-panel')}
        />
      ))}
    </span>
  ) : (
    <span aria-hidden className="block h-[18px] overflow-hidden rounded-[3px] bg-cell">
      <span
        className="block h-full bg-accent forced-colors:forced-color-adjust-none"
        style={{ width: `${Math.min(100, (used / limit) * 100)}%` }}
      />
    </span>
  )

const LimitLine = ({ limit: { resourceName, limit, used } }: { limit: CatalogLimit }) => {
  const name = limitName(resourceName)
  const figure =
    used === null ? <Unknown reason="the use of your project could not be read" /> : formatCount(used)
  return (
    <li className="grid gap-1.5">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <b className="font-semibold">
          {name}: {figure} {limit === null ? 'used' : <>of {formatCount(Math.max(0, limit))} used</>}
        </b>
        <span className="text-ink3">{limit === null ? 'no limit' : 'limit of your project'}</span>
        {limit === null || used === null ? null : (
          <span className="ml-auto text-ink2">{formatCount(Math.max(0, limit - used))} left</span>
        )}
      </span>
      {limit === null || limit < 1 || used === null ? null : <Bar limit={limit} used={used} />}
    </li>
  )
}

/** The project's limits on GPUs, their use, and the link to request more. */
export const LimitStrip = ({ limits }: { limits: readonly CatalogLimit[] }) =>
  limits.length === 0 ? null : (
    <section
      aria-label="Limits of your project"
      className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-panel border border-line bg-panel px-4 py-3"
    >
      <ul className="grid min-w-0 flex-1 basis-72 gap-3">
        {limits.map((limit) => (
          <LimitLine key={limit.resourceName} limit={limit} />
        ))}
      </ul>
      <Link href={requestsPath()} prefetch={false} className={buttonStyle()}>
        Request quota
      </Link>
    </section>
  )
