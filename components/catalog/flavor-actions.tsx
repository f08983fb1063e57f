'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { Button, buttonStyle } from '@/components/ui/button'
import { toast } from '@/components/ui/toast-store'
import { watchOptions } from '@/lib/api/catalog'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { requestsPath } from '@/lib/util/paths'
import { catalogSearchParams } from './catalog-search-params'
import { isUnavailable, requestableClass } from './catalog-text'

/** Subscribes to a notification, or cancels it. */
const WatchButton = ({ flavor: { id, name, isWatched } }: { flavor: CatalogFlavor }) => {
  const watch = useMutation(watchOptions())
  const press = () =>
    watch.mutate(
      { flavor: id, isWanted: !isWatched },
      { onError: (err) => toast.error(`The notification for ${name} was not saved.`, err.message) },
    )
  return (
    <Button
      aria-pressed={isWatched}
      variant={isWatched ? 'chipOn' : 'plain'}
      isUnavailable={watch.isPending}
      onClick={press}
    >
      {isWatched ? 'Notification requested' : 'Notify me when available'}{' '}
      <span className="sr-only">: {name}</span>
    </Button>
  )
}

/** What can be done with a flavor: use it, ask for more of the own limit, wait for a free one. */
export const FlavorActions = ({ flavor }: { flavor: CatalogFlavor }) => {
  const [, setParams] = useQueryStates(catalogSearchParams)
  const requestable = requestableClass(flavor)
  return (
    <div className="flex flex-wrap gap-2 max-sm:[&>*]:min-h-9 max-sm:[&>*]:flex-1">
      {requestable === null ? null : (
        <Link
          href={requestsPath({ search: { class: requestable } })}
          prefetch={false}
          className={buttonStyle()}
        >
          Request quota<span className="sr-only"> for {flavor.name}</span>
        </Link>
      )}
      {flavor.availability === 'none' || flavor.isWatched ? <WatchButton flavor={flavor} /> : null}
      <Button
        variant={isUnavailable(flavor) ? 'ghost' : 'plain'}
        aria-haspopup="dialog"
        onClick={() => void setParams({ flavor: flavor.id })}
      >
        {isUnavailable(flavor) ? 'Show commands' : 'Create server'}
        <span className="sr-only"> with {flavor.name}</span>
      </Button>
    </div>
  )
}
