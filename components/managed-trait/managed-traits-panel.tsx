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
import { endKeepingOptions, managedTraitListOptions } from '@/lib/api/managed-traits'
import { actorLabel } from '@/lib/domain/wording'
import type { ManagedTraitDto } from '@/lib/schemas/api/managed-trait'
import { formatNoun } from '@/lib/util/format'
import { changePath, gpuPath } from '@/lib/util/paths'

type Scope = { cloud: string | null; host?: string; address?: string }

const EndButton = ({ managed, cloud }: { managed: ManagedTraitDto; cloud: string | null }) => {
  const { host, address, trait } = managed
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

const History = ({ managed: { putBackCount, lastPutBackAt } }: { managed: ManagedTraitDto }) =>
  putBackCount === 0 ? (
    <>not needed yet</>
  ) : (
    <>
      restored {formatNoun(putBackCount, 'time')}, last <Moment at={lastPutBackAt} />
    </>
  )

const ManagedTrait = ({
  managed,
  cloud,
  isOnGpu,
  typeId,
}: {
  managed: ManagedTraitDto
  cloud: string | null
  isOnGpu: boolean
  typeId: string | null
}) => (
  <li className="flex flex-wrap items-start gap-x-3 gap-y-1">
    <div className="min-w-0 flex-1 basis-52">
      <p className="break-all font-mono text-small">{managed.trait}</p>
      {isOnGpu ? null : (
        <p>
          <Link
            href={gpuPath({ cloud, host: managed.host, address: managed.address })}
            className="text-accent-ink underline"
          >
            {managed.host} <span className="font-mono text-small">{managed.address}</span>
          </Link>
        </p>
      )}
      <p className="text-ink2 text-small">
        on {formatNoun(managed.deviceCount, 'device')} while nova.conf lists {managed.typeName},{' '}
        <History managed={managed} />
      </p>
      <p className="text-ink3 text-small">
        requested by {actorLabel(managed.addedBy)} with{' '}
        <Link href={changePath({ cloud, id: managed.changeId })} className="underline">
          change {managed.changeId}
        </Link>
        , <Moment at={managed.addedAt} />
      </p>
      {typeId === null || typeId === managed.typeId ? null : (
        <p className="text-warn text-small">
          Not restored: the pGPU has another vGPU type. Tag it again to manage the trait of that type.
        </p>
      )}
      {managed.problem === null ? null : (
        <p className="text-warn text-small wrap-anywhere">
          Could not be restored: <TimedText text={managed.problem} />
        </p>
      )}
    </div>
    <EndButton managed={managed} cloud={cloud} />
  </li>
)

const NONE = {
  gpu: 'No trait is managed. Nova deletes traits when it recreates a provider. Use “Tag with traits” to have them restored.',
  cloud:
    'No trait is managed. Use “Tag with traits” to restore traits when Nova recreates a provider. The console’s service account writes them.',
}

/** Traits that the console restores with its service account: of one pGPU, or of the whole cloud. */
export const ManagedTraitsPanel = ({
  typeId = null,
  ...scope
}: Scope & {
  /** Of the pGPU, when it is known. */
  typeId?: string | null
}) => {
  const { data, error, isFetching, refetch } = useQuery(managedTraitListOptions(scope))
  const isOnGpu = scope.address !== undefined
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
          {traits.map((managed) => (
            <ManagedTrait
              key={`${managed.host} ${managed.address} ${managed.trait}`}
              managed={managed}
              cloud={scope.cloud}
              isOnGpu={isOnGpu}
              typeId={typeId}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
