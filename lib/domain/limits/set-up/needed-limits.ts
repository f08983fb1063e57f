import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { naturalOrder } from '@/lib/util/natural-order'
import { type EffectiveLimit, effectiveLimit } from '../effective-limit'
import { type LimitView, otherClasses, requestedClasses } from '../limit-view'

/** A name that Nova asks Keystone for. */
export type NeededLimit = {
  resourceName: string
  /** A flavor that requests the class; null: Nova itself needs it. */
  flavor: string | null
  /** The registered default in Nova's region; null: there is none. */
  registered: number | null
  /** Rows without a region, which Nova never sees. */
  withoutRegion: number | null
  /** What a project that has only the default has now. */
  means: EffectiveLimit
  /** A default to register; null: it is registered, or better left out. */
  proposed: number | null
  because: string
}

/** Nova's own defaults, `[quota]` of nova.conf (nova/conf/quota.py); per deployment only. */
const OWN: readonly (readonly [resourceName: string, value: number])[] = [
  ['servers', 10],
  ['class:VCPU', 20],
  ['class:PCPU', 20],
  ['class:MEMORY_MB', 51_200],
  ['server_metadata_items', 128],
  ['server_injected_files', 5],
  ['server_injected_file_content_bytes', 10_240],
  ['server_injected_file_path_bytes', 255],
  ['server_key_pairs', 100],
  ['server_groups', 10],
  ['server_group_members', 10],
]

const OWN_DEFAULTS = new Map(OWN)

/** Represents "no limit" on releases that do not support -1. */
export const PLENTY = 1_000_000_000

const ofUncounted = (view: LimitView): Pick<NeededLimit, 'proposed' | 'because'> =>
  view.isUnlimitedKnown === true
    ? {
        proposed: null,
        because:
          'legacy quotas have no such limit; without a registered limit it is unlimited on this release',
      }
    : {
        proposed: PLENTY,
        because: 'legacy quotas have no such limit; without a registered limit it would be 0 on this release',
      }

const proposalOf = (
  view: LimitView,
  { resourceName, isOther }: { resourceName: string; isOther: boolean },
  defaults: ReadonlyMap<string, number>,
): Pick<NeededLimit, 'proposed' | 'because'> => {
  if (isOther || resourceName === 'class:DISK_GB') return ofUncounted(view)
  const stated = defaults.get(resourceName)
  if (stated !== undefined)
    return {
      proposed: stated === -1 && view.isUnlimitedKnown !== true ? PLENTY : stated,
      because: stated === -1 ? 'this cloud’s default quota is unlimited' : 'this cloud’s default quota',
    }
  const own = OWN_DEFAULTS.get(resourceName)
  if (own !== undefined) return { proposed: own, because: 'Nova’s default quota' }
  return { proposed: 0, because: 'no GPU, unless a project has a limit' }
}

/**
 * Every name that Nova checks on this cloud: its own, and each resource class that a flavor requests. `defaults`: the
 * defaults of this cloud's legacy quotas, by name; for a missing name Nova's own defaults are used.
 */
export const neededLimits = (
  fleet: Fleet,
  view: LimitView,
  defaults: ReadonlyMap<string, number> = new Map(),
): NeededLimit[] => {
  const named = (classes: ReadonlyMap<string, string>) =>
    new Map([...classes].map(([name, flavor]) => [`class:${name}`, flavor]))
  const others = named(otherClasses(fleet))
  const flavors = new Map([...named(requestedClasses(fleet)), ...others])
  const own = [...OWN.map(([name]) => name), 'class:DISK_GB']
  const classes = ['class:VGPU', ...flavors.keys()].filter((name) => !own.includes(name))
  const names = [...new Set(classes)].toSorted(naturalOrder)
  return [...names, ...own].map((resourceName) => {
    const registered = view.effective.get(resourceName)?.defaultLimit ?? null
    const stray = view.registered.find((row) => row.regionId === null && row.resourceName === resourceName)
    const proposal =
      registered !== null
        ? { proposed: null, because: 'already registered' }
        : stray !== undefined
          ? { proposed: stray.defaultLimit, because: 'value of the row without a region' }
          : proposalOf(view, { resourceName, isOther: others.has(resourceName) }, defaults)
    return {
      resourceName,
      flavor: flavors.get(resourceName) ?? null,
      registered,
      withoutRegion: view.limits.novaRegionId === null ? null : (stray?.defaultLimit ?? null),
      means: effectiveLimit(fleet, view, { own: null, projectId: null, resourceName }),
      ...proposal,
    }
  })
}
