import Link from 'next/link'
import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { StrandedNote } from '@/components/gpu/stranded-note'
import { UsedOf } from '@/components/gpu/used-of'
import { VgpuBar } from '@/components/gpu/vgpu-bar'
import { Panel } from '@/components/ui/panel'
import { SeverityText } from '@/components/ui/severity-text'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { noTypeLabel } from '@/lib/domain/fleet/no-type-label'
import type { HostDetail } from '@/lib/schemas/api/host'
import { formatMib, formatNoun } from '@/lib/util/format'
import { gpuPath, typePath } from '@/lib/util/paths'
import { groupByNode, type NodeGroup } from './group-by-node'

type HostPgpu = HostDetail['pgpus'][number]

const barNumbers = ({ numbers }: HostPgpu) => ({
  capacity: numbers.capacity.value,
  used: numbers.used.value,
  spare: numbers.spare.value,
  orphan: numbers.orphan.value,
  creatable: numbers.creatable.value,
})

const nodeNote = ({ node, pgpus }: NodeGroup): string =>
  [
    formatNoun(pgpus.length, 'pGPU'),
    node === null ? null : `CPUs ${node.cpus}`,
    node === null || node.memoryMib === null ? null : formatMib(node.memoryMib),
  ]
    .filter((part) => part !== null)
    .join(', ')

const GpuRow = ({ pgpu, host, cloud }: { pgpu: HostPgpu; host: HostDetail; cloud: string | null }) => (
  <Tr>
    <Td className="whitespace-nowrap">
      <Link
        href={gpuPath({ cloud, host: host.name, address: pgpu.address })}
        className="font-mono text-small hover:text-accent-ink hover:underline"
      >
        {pgpu.address}
      </Link>
    </Td>
    <Td className="min-w-24 max-md:hidden">{pgpu.model}</Td>
    <Td className="whitespace-nowrap">
      {pgpu.currentType === null ? (
        <span className="text-ink2">{noTypeLabel(pgpu.framework)}</span>
      ) : (
        <>
          <Link
            href={typePath({ cloud, type: pgpu.currentType.typeId })}
            prefetch={false}
            className="hover:text-accent-ink hover:underline"
          >
            {pgpu.currentType.shortName}
          </Link>
          <span className="block font-mono text-ink3 text-small">{pgpu.currentType.typeId}</span>
        </>
      )}
    </Td>
    <Td className="max-md:hidden">
      <Tag>{frameworkLabel(pgpu.framework)}</Tag> {pgpu.isMigBacked ? <Tag>MIG</Tag> : null}
    </Td>
    <Td>
      <VgpuBar
        host={host.name}
        address={pgpu.address}
        numbers={barNumbers(pgpu)}
        range={pgpu.typeRange}
        reason={pgpu.numbers.capacity.reason}
        isWhole={pgpu.framework === 'passthrough'}
        isOld={host.isSilent}
      />
    </Td>
    <Td isNumber className="whitespace-nowrap">
      <UsedOf
        used={pgpu.numbers.used.value}
        capacity={pgpu.numbers.capacity.value}
        range={pgpu.typeRange}
        reason={pgpu.numbers.used.reason ?? pgpu.numbers.capacity.reason}
      />
    </Td>
    <Td className="min-w-40">
      {pgpu.stranded === null || pgpu.stranded === 0 ? null : (
        <StrandedNote
          count={pgpu.stranded}
          isWhole={pgpu.framework === 'passthrough'}
          isOld={host.isSilent}
        />
      )}
      {pgpu.findings[0] === undefined ? null : (
        <SeverityText severity={pgpu.findings[0].severity} isOld={host.isSilent}>
          {pgpu.findings[0].sentence}
        </SeverityText>
      )}
    </Td>
  </Tr>
)

/** The host's pGPUs under the NUMA node they hang on. */
export const HostGpusPanel = ({ host, cloud }: { host: HostDetail; cloud: string | null }) => (
  <Panel title="pGPUs" note="by NUMA node">
    {host.pgpus.length === 0 ? (
      <p className="text-ink2">The agent found no GPU on this host.</p>
    ) : (
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th>PCI address</Th>
              <Th className="max-md:hidden">Model</Th>
              <Th>vGPU type</Th>
              <Th className="max-md:hidden">Framework</Th>
              <Th>vGPUs</Th>
              <Th isNumber>Used</Th>
              <Th>Finding</Th>
            </tr>
          </thead>
          {groupByNode(host).map((group) => (
            <tbody key={group.id ?? 'unknown'}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={7}
                  className="border-line border-b bg-bg px-2.5 py-1.5 text-left font-semibold"
                >
                  {group.id === null ? 'NUMA node not reported' : `NUMA node ${group.id}`}
                  <small className="ml-2 font-[450] text-ink2 text-small">{nodeNote(group)}</small>
                </th>
              </tr>
              {group.pgpus.map((pgpu) => (
                <GpuRow key={pgpu.address} pgpu={pgpu} host={host} cloud={cloud} />
              ))}
            </tbody>
          ))}
        </Table>
      </SideScroll>
    )}
  </Panel>
)
