'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { described, Field, Input } from '@/components/ui/input'
import { toast } from '@/components/ui/toast-store'
import { mergeHostOptions, mergePreviewOptions } from '@/lib/api/host-removal'
import type { HostMergePreview } from '@/lib/schemas/api/host-removal'
import { formatCount, formatNoun } from '@/lib/util/format'
import { ReasonDialog } from './reason-dialog'

const Preview = ({ preview }: { preview: HostMergePreview }) => (
  <ul className="list-disc space-y-1 pl-4">
    <li>
      {preview.into} continues the history of {preview.from} from <Moment at={preview.firstKnownAt} /> to{' '}
      <Moment at={preview.lastKnownAt} />.
    </li>
    <li>
      {formatCount(preview.matchingGpus)} of {formatNoun(preview.gpuCount, 'GPU')} match. From{' '}
      <Moment at={preview.continuesAt} /> on, only {preview.into} counts.
    </li>
    <li>
      {preview.isRemoved
        ? `${preview.from} stays in the list of removed hosts.`
        : `${preview.from} is removed, and its credential is revoked.`}
      {preview.openFindings === 0 ? null : ` ${formatNoun(preview.openFindings, 'open finding')} resolved.`}
      {preview.managedTraits === 0
        ? null
        : ` ${formatNoun(preview.managedTraits, 'trait')} no longer managed.`}
    </li>
    <li>Frozen reviews do not change.</li>
  </ul>
)

/** Merges the history of a host's previous name into it, after a preview. `from`: the name that is suggested. */
export const MergeHostButton = ({
  host,
  from: suggested = '',
  size = 'small',
}: {
  host: string
  from?: string
  size?: 'small' | 'body'
}) => {
  const id = useId()
  const { cloud } = useCloud()
  const [from, setFrom] = useState(suggested)
  const named = from.trim()
  const query = useQuery({
    ...mergePreviewOptions({ cloud, host, from: named }),
    enabled: named !== '',
  })
  const merge = useMutation(mergeHostOptions({ cloud, host }))
  const refusal = useRefusal('host.remove')
  const preview = named === '' ? undefined : query.data
  const problem = named === '' ? null : (query.error?.message ?? preview?.refusal ?? null)
  const confirm = async (reason: string) => {
    await merge.mutateAsync({ from: named, reason })
    toast.done(`${host} continues the history of ${named}.`)
  }
  return (
    <ReasonDialog
      label="Merge history"
      size={size}
      title={`Merge the history of another host into ${host}?`}
      confirmLabel="Merge hosts"
      tone="main"
      refusal={refusal}
      missing={
        named === ''
          ? 'Enter the previous name of the host.'
          : preview === undefined || problem !== null
            ? 'The hosts cannot be merged yet.'
            : null
      }
      onConfirm={confirm}
    >
      <Field
        id={id}
        label="Previous host"
        help="The name that this host had before it was renamed or reinstalled."
        error={problem ?? undefined}
      >
        <Input
          {...described(id, problem ?? undefined)}
          value={from}
          autoComplete="off"
          onChange={(event) => setFrom(event.target.value)}
        />
      </Field>
      {preview === undefined || problem !== null ? null : <Preview preview={preview} />}
    </ReasonDialog>
  )
}
