import type { ChangePreview, PreviewOf } from '@/lib/schemas/api/change'
import type { ChangeTarget } from './step'

const named = (host: string, names: readonly (string | null)[]): ChangeTarget[] =>
  names.flatMap((address) => (address === null ? [] : [{ host, address }]))

const limitNames = ({ effects, strays }: PreviewOf<'limits'>['limitChange']): string[] => {
  const rows = [...effects, ...(strays?.registered ?? []), ...(strays?.limits ?? [])]
  return [...new Set(rows.map(({ resourceName }) => resourceName))]
}

type FlavorsAndAggregate = { flavors: readonly { name: string }[]; aggregate: string | null }

const flavorsAndAggregate = ({ flavors, aggregate }: FlavorsAndAggregate): ChangeTarget[] => [
  ...flavors.map(({ name }) => ({ host: 'flavor', address: name })),
  ...named('aggregate', [aggregate]),
]

/** An object other than a pGPU that a change holds, by name. Names of different kinds never collide. */
const heldNames = (preview: ChangePreview): ChangeTarget[] => {
  switch (preview.kind) {
    case 'fence':
      return flavorsAndAggregate(preview.fence)
    case 'flavor':
      return flavorsAndAggregate(preview.flavorChange)
    case 'limits':
      return [
        ...named('limit', limitNames(preview.limitChange)),
        ...named('role', [preview.limitChange.grant]),
      ]
    case 'passthrough':
    case 'type':
      return (preview.typeChange?.hosts ?? []).flatMap(({ host, closedToo }) => named(host, closedToo))
    case 'orphans':
    case 'traits':
    case 'unreadable':
      return []
  }
}

/**
 * What a change holds: its pGPUs, and where it writes nova.conf all others of the host; its flavors and aggregate; or the
 * names whose limits it writes.
 */
export const targetsOf = (preview: ChangePreview): ChangeTarget[] => [
  ...preview.targets,
  ...heldNames(preview),
]
