import type { ChangePreview } from '@/lib/schemas/api/change'
import type { ChangeTarget } from './step'

/** What a change of flavors holds stands in the place of a pGPU's host and address: nobody holds two kinds by one name. */
const heldByFence = ({ fence }: ChangePreview): ChangeTarget[] =>
  fence === undefined
    ? []
    : [
        ...fence.flavors.map(({ name }) => ({ host: 'flavor', address: name })),
        ...(fence.aggregate === null ? [] : [{ host: 'aggregate', address: fence.aggregate }]),
      ]

const limitNames = (change: ChangePreview['limitChange']): string[] => {
  const { registered = [], limits = [] } = change?.strays ?? {}
  const named = [...(change?.effects ?? []), ...registered, ...limits]
  return [...new Set(named.map(({ resourceName }) => resourceName))]
}

const heldNames = ({ flavorChange, limitChange }: ChangePreview): ChangeTarget[] => [
  ...(flavorChange?.flavors ?? []).map(({ name }) => ({ host: 'flavor', address: name })),
  ...(flavorChange?.aggregate == null ? [] : [{ host: 'aggregate', address: flavorChange.aggregate }]),
  ...limitNames(limitChange).map((address) => ({ host: 'limit', address })),
  ...(limitChange?.grant == null ? [] : [{ host: 'role', address: limitChange.grant }]),
]

/**
 * What a change holds: its pGPUs, and where it writes nova.conf all others of the host; its flavors and aggregate; or the names
 * whose limits it writes.
 */
export const targetsOf = (preview: ChangePreview): ChangeTarget[] => [
  ...preview.targets,
  ...heldNames(preview),
  ...heldByFence(preview),
  ...(preview.typeChange?.hosts ?? []).flatMap(({ host, closedToo }) =>
    closedToo.map((address) => ({ host, address })),
  ),
]
