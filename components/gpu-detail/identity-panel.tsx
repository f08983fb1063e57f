'use client'

import { type ReactNode, useId, useState } from 'react'
import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copyable'
import { KeyValue, KeyValues, orUnknown, Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { classNames } from '@/lib/util/class-names'
import { formatMib } from '@/lib/util/format'
import { framebufferReason, groupReason, numaReason } from './unknown-text'

const explanations: Record<GpuDetail['framework'], string> = {
  mdev: 'vGPUs are mediated devices (mdevs) of the card.',
  'mdev-sriov': 'The card has SR-IOV virtual functions. Each has at most one mediated device (mdev).',
  'vendor-vfio':
    'The card has SR-IOV virtual functions without mdevs. NVIDIA’s driver sets the type of each function.',
  passthrough: 'One guest gets the whole card.',
  none: 'Not configured for vGPU or passthrough.',
}

const Mono = ({ children }: { children: ReactNode }) => (
  <span className="font-mono text-small">{children}</span>
)

type Member = NonNullable<GpuDetail['iommu']['members']>[number]

const MemberLine = ({ member }: { member: Member }) => (
  <li>
    <Mono>{member.address}</Mono>
    <span className="text-ink2 text-small">
      {[member.kind, member.pciId].filter((part) => part !== null).map((part) => `, ${part}`)}
    </span>
    <span className={classNames('block text-small', member.isInTheWay ? 'text-bad' : 'text-ink2')}>
      {member.driver === null ? 'no driver bound' : `bound to ${member.driver}`}
      {member.isInTheWay ? ', prevents passthrough of the group' : ''}
    </span>
  </li>
)

const Isolation = ({ gpu }: { gpu: GpuDetail }) => {
  const { value, reason } = gpu.iommu.isolation
  if (value === null) return <Unknown reason={reason} />
  if (!value)
    return (
      <>
        <Tag tone="bad">no</Tag>{' '}
        <span className="text-ink2 text-small">a host driver uses a device of its IOMMU group</span>
      </>
    )
  return (
    <>
      yes
      <span className="text-ink2 text-small">
        {gpu.iommuGroupMembers.length === 0
          ? ', the card is the only device of its group'
          : ', no host driver uses another device of its group'}
      </span>
    </>
  )
}

const Group = ({ gpu }: { gpu: GpuDetail }) => {
  if (gpu.iommuGroup === null) return <Unknown reason={groupReason(gpu)} />
  const others = gpu.iommuGroupMembers
  const { members } = gpu.iommu
  return (
    <>
      {gpu.iommuGroup}
      <span className="text-ink2">
        {others.length === 0 ? ', only this card' : `, with ${others.length === 1 ? '' : others.length}`}
      </span>
      {members === null ? (
        <Mono>{others.join(' ')}</Mono>
      ) : (
        <ul className="m-0 list-none p-0">
          {members.map((member) => (
            <MemberLine key={member.address} member={member} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Lines of a card are much alike, and each takes many rows in a narrow panel. */
const FEW_LINES = 2

/** The lines of `[pci] device_spec` that cover VFs of the card, with their file. In print all of them are shown. */
const HandedOutVfs = ({ gpu }: { gpu: GpuDetail }) => {
  const [isAll, setIsAll] = useState(false)
  const id = useId()
  const lines = gpu.deviceSpecs
  const count = lines.reduce((sum, { functions }) => sum + functions.length, 0)
  if (count === 0) return <span className="text-ink2">no line of [pci] device_spec matches its VFs</span>
  return (
    <>
      {count} of {gpu.virtualFunctions.length} VFs by{' '}
      {lines.length === 1 ? 'one line' : `${lines.length} lines`} of <Mono>device_spec</Mono>
      <ul id={id} className="m-0 list-none p-0">
        {lines.map(({ source, text, functions }, index) => (
          <li
            key={`${source} ${text}`}
            className={classNames('mt-1', index >= FEW_LINES && !isAll && 'hidden print:list-item')}
          >
            <span className="break-words text-small">{text}</span>
            <span className="block break-all font-mono text-ink2 text-small">
              {source}
              {functions.length > 1 ? `, ${functions.length} VFs` : ''}
            </span>
          </li>
        ))}
      </ul>
      {lines.length <= FEW_LINES ? null : (
        <Button
          size="small"
          className="my-1.5"
          aria-expanded={isAll}
          aria-controls={id}
          onClick={() => setIsAll(!isAll)}
        >
          {isAll ? `Show the first ${FEW_LINES} lines` : `Show all ${lines.length} lines`}
        </Button>
      )}
    </>
  )
}

/** How nova.conf configures the card: with a type, or for passthrough. */
const Configured = ({ gpu }: { gpu: GpuDetail }) => {
  const { configuredType: type, handedOutBy: spec } = gpu
  if (type !== null)
    return (
      <>
        <Mono>{type.typeId}</Mono>
        <p className="break-all text-ink2 text-small">{type.source}</p>
      </>
    )
  if (gpu.framework === 'vendor-vfio') return <HandedOutVfs gpu={gpu} />
  if (gpu.framework !== 'passthrough') return <span className="text-ink2">configures no type for it</span>
  if (spec === null) return <span className="text-ink2">no device_spec matches it</span>
  return (
    <>
      <Mono>device_spec</Mono> {spec.text}
      <p className="break-all text-ink2 text-small">{spec.source}</p>
      <p className="text-small">
        {spec.aliases.length === 0 ? (
          <span className="text-ink2">No alias of this host matches it.</span>
        ) : (
          <>
            {spec.aliases.length === 1 ? 'Alias ' : 'Aliases '}
            <Mono>{[...new Set(spec.aliases.map(({ name }) => name))].join(', ')}</Mono>
          </>
        )}
      </p>
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
        {frameworkLabel(gpu.framework)}
        {gpu.isMigBacked ? ', MIG-backed' : ''}
        <p className="text-ink2 text-small">{explanations[gpu.framework]}</p>
      </KeyValue>
      <KeyValue label="nova.conf">
        <Configured gpu={gpu} />
      </KeyValue>
      <KeyValue label="Driver">
        {gpu.driver === null ? <span className="text-ink2">none bound</span> : <Mono>{gpu.driver}</Mono>}
        {gpu.driverVersion !== null && gpu.driver === 'nvidia' ? ` ${gpu.driverVersion}` : ''}
      </KeyValue>
      <KeyValue label="NUMA node">{orUnknown(gpu.numaNode, numaReason(gpu))}</KeyValue>
      <KeyValue label="IOMMU group">
        <Group gpu={gpu} />
      </KeyValue>
      <KeyValue label="Isolated">
        <Isolation gpu={gpu} />
      </KeyValue>
    </KeyValues>
  </Panel>
)
