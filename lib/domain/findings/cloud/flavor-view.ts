import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { FlavorView } from '@/lib/domain/fit/gpu-flavors'
import { listText } from '@/lib/domain/wording'
import { oncePer } from '@/lib/util/once-per'
import type { Evidence, Subject } from '../finding'
import { cloudReports } from './detector'

export const flavorSubject = ({ flavor }: FlavorView): Subject => ({
  kind: 'flavor',
  id: flavor.id,
  name: flavor.name,
})

/** The flavor's own extra specs, as evidence. */
export const flavorReports = (fleet: Fleet, { flavor }: FlavorView): Evidence =>
  cloudReports(
    fleet,
    'flavors',
    listText(
      Object.entries(flavor.extraSpecs).map(([key, value]) => `${key}=${value}`),
      8,
    ) || 'no extra specs',
  )

/** Where Placement has which traits and classes. `unread` names a provider that was not read; null when all were. */
export type PlacementView = {
  rootTraits: ReadonlySet<string>
  childTraits: ReadonlySet<string>
  classes: ReadonlySet<string>
  unread: string | null
}

const readView = (fleet: Fleet): PlacementView => {
  const rootTraits = new Set<string>()
  const childTraits = new Set<string>()
  const classes = new Set<string>()
  let unread: string | null = null
  for (const { name, parentUuid, traits, inventories } of fleet.providers.values()) {
    if (traits === null || inventories === null) unread = name
    for (const trait of traits ?? []) (parentUuid === null ? rootTraits : childTraits).add(trait)
    for (const resourceClass of Object.keys(inventories ?? {})) classes.add(resourceClass)
  }
  return { rootTraits, childTraits, classes, unread }
}

/** Read once per fleet: several detectors need it. */
export const placementView = oncePer(readView)
