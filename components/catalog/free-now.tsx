'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Button, buttonStyle } from '@/components/ui/button'
import { toast } from '@/components/ui/toast-store'
import { watchedFlavorsOptions, watchOptions } from '@/lib/api/catalog'
import { catalogPath } from '@/lib/util/paths'

/** Shows on every page of the project that a flavor is free for which the person requested a notification. */
export const FreeNow = () => {
  const { data } = useQuery(watchedFlavorsOptions())
  const end = useMutation(watchOptions())
  const free = (data?.flavors ?? []).filter(
    ({ isWatched, availability }) => isWatched && (availability === 'free' || availability === 'few'),
  )
  const dismiss = (flavor: string) =>
    end.mutate(
      { flavor, isWanted: false },
      { onError: (err) => toast.error('The notification was not dismissed.', err.message) },
    )
  return (
    <div role="status">
      {free.map(({ id, name }) => (
        <p
          key={id}
          className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-accent bg-accent2 px-4 py-2 text-accent-ink"
        >
          <span className="min-w-0 flex-1 basis-52">
            <strong className="break-all font-semibold">{name}</strong> is available.
          </span>
          <Link href={catalogPath({ search: { flavor: id } })} className={buttonStyle({ variant: 'main' })}>
            Create server<span className="sr-only"> with {name}</span>
          </Link>
          <Button onClick={() => dismiss(id)} isUnavailable={end.isPending}>
            Dismiss<span className="sr-only"> the notification for {name}</span>
          </Button>
        </p>
      ))}
    </div>
  )
}
