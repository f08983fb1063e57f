import type { ReactNode } from 'react'
import { UnknownNote } from '@/components/cloud/unknown-note'
import { CopyableId } from '@/components/ui/copyable'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import { formatNoun } from '@/lib/util/format'
import type { Sources } from './source-labels'

const figure = ({ value, reason }: { value: number | null; reason: string | null }): ReactNode =>
  value === null ? <UnknownNote reason={reason} /> : value

const Stranded = ({ stranded }: Pick<Sources, 'stranded'>) => (
  <>
    <span className={(stranded.value ?? 0) > 0 ? 'font-[550] text-warn' : ''}>{figure(stranded)}</span>
    {stranded.because === null ? null : <p className="text-ink2 text-small">{stranded.because}</p>}
  </>
)

const Service = ({ service }: Pick<Sources, 'service'>) => {
  const { status, state, disabledReason, availabilityZone, because } = service
  if (status === null || state === null) return <UnknownNote reason={because} />
  return (
    <>
      <span className="inline-flex flex-wrap gap-1">
        <Tag tone={status === 'enabled' ? 'accent' : 'warn'}>{status}</Tag>
        <Tag tone={state === 'up' ? 'accent' : 'bad'}>{state}</Tag>
      </span>
      {disabledReason === null ? null : <p className="text-ink2 text-small">“{disabledReason}”</p>}
      {availabilityZone === null ? null : <p className="text-ink2 text-small">zone {availabilityZone}</p>}
    </>
  )
}

const Names = ({
  names,
  none,
  reason,
}: {
  names: readonly string[] | null
  none: string
  reason: string
}) => {
  if (names === null) return <UnknownNote reason={reason} />
  if (names.length === 0) return <span className="text-ink3">{none}</span>
  return (
    <ul>
      {names.map((name) => (
        <li key={name} className="break-all">
          {name}
        </li>
      ))}
    </ul>
  )
}

const Providers = ({ providers }: Pick<Sources, 'providers'>) => {
  if (providers.length === 0) return <span className="text-ink3">none</span>
  return (
    <details>
      <summary>{formatNoun(providers.length, 'provider')}</summary>
      <ul className="mt-1 flex max-h-80 flex-col gap-1.5 overflow-y-auto">
        {providers.map(({ name, uuid, generation }) => (
          <li key={uuid}>
            <p className="break-all font-mono text-small">{name}</p>
            <p className="text-ink3 text-small">
              <CopyableId id={uuid} label={`uuid of ${name}`} /> generation {generation}
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What Placement and Nova have on a pGPU and its host. */
export const InCloudPanel = ({ sources }: { sources: Sources }) => {
  const { advertised, stranded, service, aggregates, providers } = sources
  return (
    <Panel title="In the cloud">
      <KeyValues>
        <KeyValue label="Advertised">
          {figure(advertised.total)}
          {advertised.classes.length === 0 ? null : (
            <span className="ml-1.5 break-all font-mono text-ink3 text-small">
              {advertised.classes.join(', ')}
            </span>
          )}
        </KeyValue>
        <KeyValue label="Allocated">{figure(advertised.used)}</KeyValue>
        <KeyValue label="Free">{figure(advertised.free)}</KeyValue>
        <KeyValue label="Stranded">
          <Stranded stranded={stranded} />
        </KeyValue>
        <KeyValue label="nova-compute">
          <Service service={service} />
        </KeyValue>
        <KeyValue label="Aggregates">
          <Names names={aggregates} none="in none" reason="the aggregates have not been read yet" />
        </KeyValue>
        <KeyValue label="Traits">
          <Names
            names={advertised.traits}
            none="none"
            reason={advertised.total.reason ?? 'the traits have not been read yet'}
          />
        </KeyValue>
        <KeyValue label="Providers">
          <Providers providers={providers} />
        </KeyValue>
      </KeyValues>
    </Panel>
  )
}
