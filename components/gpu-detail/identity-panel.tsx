import type { ReactNode } from 'react'
import { frameworkWords } from '@/components/gpu/gpu-words'
import { CopyButton } from '@/components/ui/copyable'
import { KeyValue, KeyValues, Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { formatMib } from '@/lib/util/format'
import { framebufferReason, groupReason, numaReason } from './unknown-words'

const explanations: Record<GpuDetail['framework'], string> = {
  mdev: 'The kernel makes vGPUs as mediated devices on the card itself.',
  'mdev-sriov': 'The card shows virtual functions; each carries at most one mediated device.',
  'vendor-vfio': 'No mdev: each virtual function is given a type through NVIDIA’s own files.',
  passthrough: 'The whole card goes to one guest.',
  none: 'Neither sliced nor handed out whole.',
}

const Mono = ({ children }: { children: ReactNode }) => (
  <span className="font-mono text-small">{children}</span>
)

const orUnknown = (value: string | number | null, reason: string): ReactNode =>
  value === null ? <Unknown reason={reason} /> : value

const Group = ({ gpu }: { gpu: GpuDetail }) => {
  if (gpu.iommuGroup === null) return <Unknown reason={groupReason(gpu)} />
  const others = gpu.iommuGroupMembers
  return (
    <>
      {gpu.iommuGroup}
      <span className="text-ink2">
        {others.length === 0 ? ', alone in it' : `, with ${others.length === 1 ? '' : `${others.length}: `}`}
      </span>
      {others.length === 0 ? null : <Mono>{others.join(' ')}</Mono>}
    </>
  )
}

/** What the card is and how its host sees it. */
export const IdentityPanel = ({ gpu }: { gpu: GpuDetail }) => (
  <Panel title="Identity">
    <KeyValues>
      <KeyValue label="Address">
        <Mono>{gpu.address}</Mono>
        <CopyButton text={gpu.address} label="Copy the PCI address" className="ml-0.5 align-middle" />
      </KeyValue>
      <KeyValue label="PCI id">
        {gpu.vendorId === null ? (
          <Unknown reason="a virtual parent has none" />
        ) : (
          <Mono>
            {gpu.vendorId}:{gpu.deviceId}
            {gpu.subsystemId === null ? '' : `, subsystem ${gpu.subsystemId}`}
          </Mono>
        )}
      </KeyValue>
      <KeyValue label="Framebuffer">
        {orUnknown(
          gpu.framebufferMib === null ? null : formatMib(gpu.framebufferMib),
          framebufferReason(gpu),
        )}
      </KeyValue>
      <KeyValue label="Framework">
        {frameworkWords(gpu.framework)}
        {gpu.isMigBacked ? ', MIG-backed' : ''}
        <p className="text-ink2 text-small">{explanations[gpu.framework]}</p>
      </KeyValue>
      <KeyValue label="nova.conf">
        {gpu.configuredType === null ? (
          <span className="text-ink2">names no type for it</span>
        ) : (
          <>
            <Mono>{gpu.configuredType.typeId}</Mono>
            <p className="break-all text-ink2 text-small">{gpu.configuredType.source}</p>
          </>
        )}
      </KeyValue>
      <KeyValue label="Driver">
        {gpu.driver === null ? <span className="text-ink2">none bound</span> : <Mono>{gpu.driver}</Mono>}
        {gpu.driverVersion !== null && gpu.driver === 'nvidia' ? ` ${gpu.driverVersion}` : ''}
      </KeyValue>
      <KeyValue label="NUMA node">{orUnknown(gpu.numaNode, numaReason(gpu))}</KeyValue>
      <KeyValue label="IOMMU group">
        <Group gpu={gpu} />
      </KeyValue>
    </KeyValues>
  </Panel>
)
