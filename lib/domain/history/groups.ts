import { noTypeWords } from '../fleet/no-type-words'
import type { CloudPoint, Holding, PgpuPoint } from './events'

/** What roll-ups are kept by. */
const DIMENSIONS = ['all', 'type', 'model', 'aggregate', 'flavor', 'project'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** `key` tells groups of a dimension apart, `label` is what people read; empty: it is unknown. */
export type Group<Name extends string = string> = { dimension: Name; key: string; label: string }

/** Groups that vGPUs are held in; a pGPU is in none of them. */
export const isHeldDimension = (dimension: string): boolean =>
  dimension === 'flavor' || dimension === 'project'

/** The groups in which a pGPU counts: in each of its aggregates once. */
const fleetGroupsOfPgpu = (point: PgpuPoint, word: CloudPoint | null): Group<Dimension>[] => {
  const type = point.typeId ?? noTypeWords(point.framework)
  const model = point.model ?? ''
  const aggregates = [...new Set(word?.aggregates ?? [])]
  return [
    { dimension: 'all', key: '', label: '' },
    { dimension: 'type', key: type, label: point.typeId === null ? type : (point.typeName ?? type) },
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
