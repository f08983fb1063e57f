'use client'

import Link from 'next/link'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { classNames } from '@/lib/util/class-names'
import { formatMib } from '@/lib/util/format'
import { typePath } from '@/lib/util/paths'
import { type SupportedType, sortTypes, TYPE_SORTS, type TypeSort } from './sort-types'
import { catalogNote, isPartialCatalog, originOf, type TypeOrigin } from './unknown-text'

const notReported = 'not reported by the driver'

const orNotReported = (value: ReactNode): ReactNode =>
  value === null ? <Unknown reason={notReported} /> : value

const TypeRow = ({ type, gpu, cloud }: { type: SupportedType; gpu: GpuDetail; cloud: string | null }) => {
  const isCurrent = gpu.currentType?.typeId === type.typeId
  const isConfigured = gpu.configuredType?.typeId === type.typeId
  return (
    <Tr className={isCurrent ? 'bg-sel' : ''}>
      <Td>
        <span className="mr-1.5 whitespace-nowrap">
          <Link
            href={typePath({ cloud, type: type.typeId })}
            prefetch={false}
            title="Check available capacity"
            className={classNames('hover:text-accent-ink hover:underline', isCurrent && 'font-semibold')}
          >
            {type.shortName}
          </Link>{' '}
          <span className="font-mono text-ink3 text-small">{type.typeId}</span>
        </span>
        <span className="inline-flex gap-1">
          {isCurrent ? <Tag tone="accent">current</Tag> : null}
          {isConfigured ? <Tag>nova.conf</Tag> : null}
          {type.isMigBacked ? <Tag>MIG</Tag> : null}
          <OriginTag origin={originOf(type)} />
        </span>
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {orNotReported(type.framebufferMib === null ? null : formatMib(type.framebufferMib))}
      </Td>
      <Td isNumber>{orNotReported(type.heads)}</Td>
      <Td isNumber>{orNotReported(type.maxResolution?.replace('x', ' × ') ?? null)}</Td>
      <Td isNumber className="whitespace-nowrap">
        {orNotReported(type.frameRateLimit === null ? null : `${type.frameRateLimit} fps`)}
      </Td>
      <Td isNumber>{orNotReported(type.maxInstance)}</Td>
      <Td isNumber className={classNames(type.creatable === 0 && 'text-ink3')}>
        {type.creatable ?? <Unknown reason={type.limitReason} />}
      </Td>
      <Td className="min-w-40 text-ink2 text-small leading-tight">{type.limitReason}</Td>
    </Tr>
  )
}

const ORIGIN_LABELS = {
  stored: 'reported by another host for this model, not by this host',
  published: 'the name is from NVIDIA’s documentation, not reported by this host',
}

const OriginTag = ({ origin }: { origin: TypeOrigin }) =>
  origin === 'host' ? null : (
    <span title={ORIGIN_LABELS[origin]}>
      <Tag>{origin}</Tag>
    </span>
  )

const Partial = ({ types }: { types: readonly SupportedType[] }) => {
  const origins = (['stored', 'published'] as const).filter((origin) =>
    types.some((type) => originOf(type) === origin),
  )
  return (
    <p className="mb-2 text-ink2 text-small">
      With vendor VFIO, the driver lists only types that it can create now. A full card lists only the types
      in use. The types of an empty card are not reported.
      {origins.map((origin) => ` Marked ${origin}: ${ORIGIN_LABELS[origin]}.`)}
    </p>
  )
}

/** Every type that the card offers, how many fit, how many the driver would make now and why not more. */
export const TypeCatalog = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => {
  const [sort, setSort] = useQueryState('types', parseAsStringLiteral(TYPE_SORTS).withDefault('driver'))
  const head = (name: string, by: TypeSort) => (
    <button
      type="button"
      className="font-[550] hover:text-ink"
      onClick={() => void setSort(sort === by ? 'driver' : by)}
    >
      {name}
      {sort === by ? (by === 'name' ? ' ↑' : ' ↓') : ''}
    </button>
  )
  const sorted = (by: TypeSort) =>
    sort === by ? { 'aria-sort': by === 'name' ? ('ascending' as const) : ('descending' as const) } : {}
  if (gpu.supportedTypes === null)
    return (
      <Panel title="Supported vGPU types">
        <p className="text-ink2">
          {gpu.framework === 'passthrough'
            ? 'A card with PCI passthrough has no vGPU types.'
            : 'The driver reports no vGPU types for this card.'}
        </p>
      </Panel>
    )
  return (
    <Panel title="Supported vGPU types" note={catalogNote(gpu, gpu.supportedTypes.length)}>
      {isPartialCatalog(gpu) ? <Partial types={gpu.supportedTypes} /> : null}
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th {...sorted('name')}>{head('Type', 'name')}</Th>
              <Th isNumber {...sorted('framebuffer')}>
                {head('Framebuffer', 'framebuffer')}
              </Th>
              <Th isNumber>Heads</Th>
              <Th isNumber>Max resolution</Th>
              <Th isNumber>Frame limit</Th>
              <Th isNumber {...sorted('fit')}>
                {head('Fit', 'fit')}
              </Th>
              <Th isNumber>Creatable</Th>
              <Th>Limiting factor</Th>
            </tr>
          </thead>
          <tbody>
            {sortTypes(gpu.supportedTypes, sort).map((type) => (
              <TypeRow key={type.typeId} type={type} gpu={gpu} cloud={cloud} />
            ))}
          </tbody>
        </Table>
      </SideScroll>
    </Panel>
  )
}
