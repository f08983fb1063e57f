import Link from 'next/link'
import { buttonStyle } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { Unknown } from '@/components/ui/key-values'
import { ShareBar } from '@/components/ui/share-bar'
import type { Catalog } from '@/lib/schemas/api/catalog'
import { formatCount } from '@/lib/util/format'
import { requestsPath } from '@/lib/util/paths'
import { type QuotaTile, quotaTiles, serversNote, summedClasses, usedVgpus } from './quota-text'

const Figures = ({ limit, used }: Pick<QuotaTile, 'limit' | 'used'>) => {
  if (used === null) return <Unknown reason="the use of your project could not be read" />
  if (limit === null) return <span className="text-ink3">{formatCount(used)} used, no limit</span>
  return (
    <>
      <b className="font-semibold">{formatCount(Math.max(0, limit - used))} left</b>{' '}
      <span className="text-ink3">
        {formatCount(used)} of {formatCount(limit)}
      </span>
    </>
  )
}

const Quota = ({ label, limit, used }: QuotaTile) => (
  <>
    <span className="mb-1.5 flex flex-wrap justify-between gap-x-2">
      <span className="wrap-anywhere">{label}</span>
      <span className="tabular-nums">
        <Figures limit={limit} used={used} />
      </span>
    </span>
    {limit === null || used === null ? null : (
      <ShareBar share={limit === 0 ? 0 : used / limit} tone={used > limit ? 'warn' : 'accent'} />
    )}
  </>
)

const Notes = ({ notes }: Pick<QuotaTile, 'notes'>) =>
  notes.map((note) => (
    <p key={note} className="mt-1 text-ink2 text-small">
      {note}
    </p>
  ))

/** The quota of the project with its use, and the link to request more. */
export const QuotaStrip = ({
  catalog,
}: {
  catalog: Pick<Catalog, 'quotas' | 'uncountedGpus' | 'servers'>
}) => {
  const { quotas, servers } = catalog
  const tiles = quotaTiles(catalog)
  const classes = summedClasses(quotas)
  const note = serversNote(servers, usedVgpus(quotas))
  if (tiles.length === 0) return null
  return (
    <section
      aria-label="Quota of your project"
      className="mb-3.5 rounded-panel border border-line bg-panel print:break-inside-avoid"
    >
      <div className="flex flex-wrap items-center gap-y-1 max-sm:pb-2.5">
        <ul className="m-0 grid min-w-0 flex-1 basis-[640px] grid-cols-2 p-0 max-sm:basis-full sm:grid-flow-col sm:auto-cols-fr sm:grid-cols-none">
          {tiles.map((tile) => (
            <li
              key={tile.label}
              className="min-w-0 list-none border-line2 px-4 py-2.5 max-sm:px-3 sm:[&:not(:first-child)]:border-l"
            >
              <Quota {...tile} />
              <Notes notes={tile.notes} />
            </li>
          ))}
        </ul>
        <Link
          href={requestsPath()}
          prefetch={false}
          className={`${buttonStyle()} mx-4 max-sm:mx-3 max-sm:min-h-9 max-sm:flex-1`}
        >
          Request quota
        </Link>
      </div>
      {note === null && classes.length === 0 ? null : (
        <div className="border-line2 border-t px-4 py-1.5 max-sm:px-3">
          {note === null ? null : <p className="text-ink2 text-small">{note}</p>}
          {classes.length === 0 ? null : (
            <Disclosure summary="Show each resource class">
              <ul className="m-0 grid gap-x-6 gap-y-2 p-0 py-1.5 sm:grid-cols-2 lg:grid-cols-3">
                {classes.map((one) => (
                  <li key={one.label} className="min-w-0 list-none">
                    <Quota {...one} />
                  </li>
                ))}
              </ul>
            </Disclosure>
          )}
        </div>
      )}
    </section>
  )
}
