import type { Dimension } from '@/lib/schemas/states'
import { noTypeLabel } from '../fleet/no-type-label'
import type { CloudPoint, Holding, PgpuPoint } from './events'

/** `key` distinguishes groups of a dimension, `label` is the displayed text; empty: unknown. */
export type Group<Name extends string = string> = { dimension: Name; key: string; label: string }

/** Groups that vGPUs are held in; a pGPU is in none of them. */
export const isHeldDimension = (dimension: string): boolean =>
  dimension === 'flavor' || dimension === 'project'

export const ALL: Group<Dimension> = { dimension: 'all', key: '', label: '' }

/** The key of passthrough GPUs, separate from the vGPUs of the same fleet, model or aggregate: the two units are never added. */
export const passthroughKey = (name: string): string => (name === '' ? 'passthrough' : `passthrough ${name}`)
const passthroughLabel = (name: string): string =>
  name === '' ? 'Passthrough GPUs' : `${name}, passthrough GPUs`

/** The group in which a passthrough GPU shows that the fleet is known, although it adds nothing to its vGPUs. */
export const presenceOfPgpu = ({ framework }: PgpuPoint): readonly Group<Dimension>[] =>
  framework === 'passthrough' ? IN_FLEET : []
const IN_FLEET = [ALL]

/** The groups in which a pGPU counts: in each of its aggregates once. */
const fleetGroupsOfPgpu = (point: PgpuPoint, word: CloudPoint | null): Group<Dimension>[] => {
  const type = point.typeId ?? noTypeLabel(point.framework)
  const model = point.model ?? ''
  const aggregates = [...new Set(word?.aggregates ?? [])]
  const ofType = {
    dimension: 'type' as const,
    key: type,
    label: point.typeId === null ? type : (point.typeName ?? type),
  }
  if (point.framework === 'passthrough') {
    const named = (dimension: Dimension, name: string) => ({
      dimension,
      key: passthroughKey(name),
      label: passthroughLabel(name),
    })
    return [
      named('all', ''),
      ofType,
      named('model', model),
      ...aggregates.map((name) => named('aggregate', name)),
    ]
  }
  return [
    ALL,
    ofType,
    { dimension: 'model', key: model, label: model },
    ...aggregates.map((name) => ({ dimension: 'aggregate' as const, key: name, label: name })),
  ]
}

/** The same for a whole fleet: cards that are alike get the same list. */
export const createFleetGroups = (): typeof fleetGroupsOfPgpu => {
  const lists = new Map<string, Group<Dimension>[]>()
  return (point, word) => {
    const { typeId, typeName, model, framework } = point
    const name = [typeId, typeName, model, framework, ...(word?.aggregates ?? [])].join('\n')
    const known = lists.get(name)
    if (known !== undefined) return known
    const list = fleetGroupsOfPgpu(point, word)
    lists.set(name, list)
    return list
  }
}

/** The groups in which what a guest holds counts. */
export const fleetGroupsOfHolding = (holding: Holding): Group<Dimension>[] => {
  const flavor = holding.flavorName ?? ''
  const project = holding.projectId ?? ''
  return [
    { dimension: 'flavor', key: flavor, label: flavor },
    { dimension: 'project', key: project, label: holding.projectName ?? project },
  ]
}
