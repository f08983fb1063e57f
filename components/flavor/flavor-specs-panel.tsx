import Link from 'next/link'
import { CopyableId } from '@/components/ui/copyable'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import type { FlavorFit } from '@/lib/schemas/api/flavor'
import { formatMib } from '@/lib/util/format'
import { typePath } from '@/lib/util/paths'
import { accessText } from './access-words'

const Types = ({ types, cloud }: { types: FlavorFit['types']; cloud: string | null }) =>
  types.length === 0 ? (
    <span className="text-ink3">none that an agent reports</span>
  ) : (
    <ul>
      {types.map(({ typeId, name }) => (
        <li key={typeId}>
          <Link
            href={typePath({ cloud, type: typeId })}
            prefetch={false}
            className="text-accent-ink underline"
          >
            {name}
          </Link>{' '}
          <span className="font-mono text-ink3 text-small">{typeId}</span>
        </li>
      ))}
    </ul>
  )

/** The literal extra specs of the flavor. */
export const FlavorSpecsPanel = ({ data, cloud }: { data: FlavorFit; cloud: string | null }) => {
  const { flavor, types } = data
  return (
    <Panel title="What it asks for">
      <KeyValues>
        <KeyValue label="vGPU types">
          <Types types={types} cloud={cloud} />
        </KeyValue>
        <KeyValue label="vCPUs">{flavor.vcpus}</KeyValue>
        <KeyValue label="Memory">{formatMib(flavor.memoryMib)}</KeyValue>
        <KeyValue label="Disk">{flavor.diskGib} GiB</KeyValue>
        <KeyValue label="Who may use it">
          {accessText({ isPublic: flavor.isPublic, projects: data.projects })}
          {data.projects === null || data.projects.length < 3 ? null : (
            <p className="text-ink2 text-small">{data.projects.map(({ name }) => name).join(', ')}</p>
          )}
        </KeyValue>
        <KeyValue label="Id">
          <CopyableId id={flavor.id} label="flavor’s id" />
        </KeyValue>
        {flavor.description === null ? null : <KeyValue label="Description">{flavor.description}</KeyValue>}
      </KeyValues>
      <h3 className="mt-2.5 mb-1 font-[550] text-small">Extra specs</h3>
      {flavor.extraSpecs.length === 0 ? (
        <p className="text-ink3">none</p>
      ) : (
        <ul>
          {flavor.extraSpecs.map(({ key, value }) => (
            <li key={key} className="break-words font-mono text-small [overflow-wrap:anywhere]">
              {key}={value}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
