'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { useRefusal } from '@/components/shell/use-refusal'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Panel } from '@/components/ui/panel'
import { ErrorState } from '@/components/ui/states'
import { toast } from '@/components/ui/toast-store'
import { endKeepingOptions, keptTraitListOptions } from '@/lib/api/kept-traits'
import { actorLabel } from '@/lib/domain/wording'
import type { ManagedTraitDto } from '@/lib/schemas/api/kept-trait'
import { formatNoun } from '@/lib/util/format'
import { changePath, gpuPath } from '@/lib/util/paths'

type Place = { cloud: string | null; host?: string; address?: string }

const EndButton = ({ kept, cloud }: { kept: ManagedTraitDto; cloud: string | null }) => {
  const { host, address, trait } = kept
  const refusal = useRefusal('kept-trait.end')
  const end = useMutation(endKeepingOptions())
  const confirm = async () => {
    await end.mutateAsync({ cloud, host, address, trait })
    toast.done(`${trait} is no longer managed on ${host} ${address}.`)
  }
  return (
    <ConfirmButton
      label="Stop managing"
      accessibleLabel={`Stop managing ${trait} on ${host} ${address}`}
      title={`Stop managing ${trait}?`}
      confirmLabel="Stop managing trait"
      onConfirm={confirm}
      refusal={refusal}
    >
      The trait stays on the pGPU until Nova recreates its provider. Then it is missing, and a finding reports
      it.
    </ConfirmButton>
  )
}

const History = ({ kept: { putBackCount, lastPutBackAt } }: { kept: ManagedTraitDto }) =>
  putBackCount === 0 ? (
    <>not needed yet</>
  ) : (
    <>
      restored {formatNoun(putBackCount, 'time')}, last <Moment at={lastPutBackAt} />
    </>
  )

const Kept = ({
  kept,
  cloud,
  isOnGpu,
  typeId,
}: {
  kept: ManagedTraitDto
  cloud: string | null
  isOnGpu: boolean
  typeId: string | null
}) => (
  <li className="flex flex-wrap items-start gap-x-3 gap-y-1">
    <div className="min-w-0 flex-1 basis-52">
      <p className="break-all font-mono text-small">{kept.trait}</p>
      {isOnGpu ? null : (
        <p>
          <Link
            href={gpuPath({ cloud, host: kept.host, address: kept.address })}
            className="text-accent-ink underline"
          >
            {kept.host} <span className="font-mono text-small">{kept.address}</span>
          </Link>
        </p>
      )}
      <p className="text-ink2 text-small">
        on {formatNoun(kept.deviceCount, 'device')} while nova.conf lists {kept.typeName},{' '}
        <History kept={kept} />
      </p>
      <p className="text-ink3 text-small">
        requested by {actorLabel(kept.keptBy)} with{' '}
        <Link href={changePath({ cloud, id: kept.changeId })} className="underline">
          change {kept.changeId}
        </Link>
        , <Moment at={kept.keptAt} />
      </p>
      {typeId === null || typeId === kept.typeId ? null : (
        <p className="text-warn text-small">
          Not restored: the pGPU has another vGPU type. Tag it again to manage the trait of that type.
        </p>
      )}
      {kept.problem === null ? null : (
        <p className="text-warn text-small wrap-anywhere">
          Could not be restored: <TimedText text={kept.problem} />
        </p>
      )}
    </div>
    <EndButton kept={kept} cloud={cloud} />
  </li>
)

const NONE = {
  gpu: 'No trait is managed. Nova deletes traits when it recreates a provider. Use “Tag with traits” to have them restored.',
  cloud:
    'No trait is managed. Use “Tag with traits” to restore traits when Nova recreates a provider. The console’s service account writes them.',
}

/** Traits that the console restores with its service account: of one pGPU, or of the whole cloud. */
export const KeptTraitsPanel = ({
  typeId = null,
  ...place
}: Place & {
  /** Of the pGPU, when it is known. */
  typeId?: string | null
}) => {
  const { data, error, isFetching, refetch } = useQuery(keptTraitListOptions(place))
  const isOnGpu = place.address !== undefined
  if (data === undefined)
    return error === null ? null : (
      <ErrorState
        title="The managed traits could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  const { traits } = data
  return (
    <Panel
      title="Managed traits"
      note={traits.length === 0 ? 'none' : 'restored by the console’s service account'}
    >
      {traits.length === 0 ? (
        <p className="text-ink2">{isOnGpu ? NONE.gpu : NONE.cloud}</p>
      ) : (
        <ul className="flex max-h-[480px] flex-col gap-2.5 overflow-y-auto">
          {traits.map((kept) => (
            <Kept
              key={`${kept.host} ${kept.address} ${kept.trait}`}
              kept={kept}
              cloud={place.cloud}
              isOnGpu={isOnGpu}
              typeId={typeId}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
