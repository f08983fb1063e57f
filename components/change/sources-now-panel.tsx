'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { COLUMN_WORDS } from '@/components/gpu-detail/source-words'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { gpuPath } from '@/lib/util/paths'
import { sourceLines } from './source-lines'

type Target = ChangeDetail['preview']['targets'][number]

/** The pGPU of the current step, or one of its host; else the first of the change. */
const gpuInHand = (change: ChangeDetail): Target | null => {
  const { targets } = change.preview
  const words = (change.currentStep?.id ?? '').split('/')
  const onHost = targets.filter(({ host }) => words.includes(host))
  return onHost.find(({ address }) => words.includes(address)) ?? onHost[0] ?? targets[0] ?? null
}

const Lines = ({ sources }: Pick<GpuSources, 'sources'>) =>
  sources === null ? (
    <p className="text-ink2">OpenStack has not been read since its host has spoken.</p>
  ) : (
    <KeyValues>
      {sourceLines(sources).map(({ column, text, isOdd }) => (
        <KeyValue key={column} label={COLUMN_WORDS[column]}>
          {text === null ? (
            <span className="text-ink3">has no say</span>
          ) : (
            <span className={isOdd ? 'text-warn' : undefined}>
              {text}
              {isOdd ? <span className="sr-only">, unlike the others</span> : null}
            </span>
          )}
        </KeyValue>
      ))}
    </KeyValues>
  )

/**
 * The hardware, nova.conf, Placement and libvirt values of the pGPU of the current step. It loads and fails independently
 * of the page.
 */
export const SourcesNowPanel = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) => {
  const target = gpuInHand(change)
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...gpuSourcesOptions({ cloud, host: target?.host ?? '', address: target?.address ?? '' }),
    enabled: target !== null,
  })
  if (target === null) return null
  return (
    <Panel
      title="What the four sources say now"
      note={
        <Link href={gpuPath({ cloud, ...target })} className="hover:underline">
          {target.host} {target.address}
        </Link>
      }
    >
      {error === null || data !== undefined ? null : (
        <ErrorState
          title="The four sources could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {isPending && error === null ? (
        <div role="status" aria-label="Loading the four sources">
          <Skeleton className="h-20" />
        </div>
      ) : null}
      {data === undefined ? null : <Lines sources={data.sources} />}
    </Panel>
  )
}
