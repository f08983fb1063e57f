import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { canonicalAddress } from '@/lib/util/canonical-address'
import type { HostLayout } from '../host-steps/host-layout'

type LayoutType = HostLayout['types'][number]

const capacityOf = ({ pgpu }: JoinedPgpu, typeId: string): number | null =>
  pgpu.supportedTypes?.find((type) => type.typeId === typeId)?.maxInstance ?? null

/** `max_instances` is a total of the host: what the cards could hold goes off it. */
const boundAfter = (type: LayoutType, lost: readonly JoinedPgpu[]): number | null => {
  if (type.maxInstances === null) return null
  const counts = lost.map((entry) => capacityOf(entry, type.typeId))
  const sum = counts.reduce<number | null>(
    (total, count) => (total === null || count === null ? null : total + count),
    0,
  )
  return sum === null ? type.maxInstances : Math.max(1, type.maxInstances - sum)
}

/** The layout once nova.conf gives some cards no vGPU type; everything else of the host stays as it is. */
export const typesWithout = (before: HostLayout, targets: readonly JoinedPgpu[]): HostLayout => {
  const gone = new Set(targets.flatMap(({ functions }) => functions))
  const parents = before.parents.map(({ address, typeId }) => ({
    address,
    typeId: gone.has(address) ? null : typeId,
  }))
  const types = before.types.flatMap((type): LayoutType[] => {
    const of = (entry: JoinedPgpu) =>
      before.parents.some(
        ({ address, typeId }) => typeId === type.typeId && entry.functions.includes(address),
      )
    const lost = targets.filter(of)
    const listed = (type.addresses ?? []).map(canonicalAddress).filter((address) => !gone.has(address))
    if (lost.length === 0 && listed.length === (type.addresses ?? []).length) return [type]
    const left =
      type.addresses === null
        ? parents.filter(({ typeId }) => typeId === type.typeId).map(({ address }) => address)
        : listed
    return left.length === 0 ? [] : [{ ...type, addresses: left, maxInstances: boundAfter(type, lost) }]
  })
  return { parents, types }
}
