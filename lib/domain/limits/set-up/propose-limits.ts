import type { Encoded } from '@/lib/util/encode/encoded'
import { sh, shellOption } from '@/lib/util/encode/shell'
import { ownLimits, type RequestedLimit } from '../effective-limit'
import type { LimitView } from '../limit-view'
import type { ProjectUse } from '../quota-table'
import { type LegacyQuotas, QUOTA_NAMES } from './judge-driver'
import { type NeededLimit, PLENTY } from './needed-limits'

type ProjectQuotas = { projectId: string; quotas: LegacyQuotas | null }

type Input = {
  view: LimitView
  needed: readonly NeededLimit[]
  /** Legacy quotas, where the driver is or may be the legacy one. */
  projects: readonly ProjectQuotas[]
  uses: ReadonlyMap<string, ProjectUse>
}

/** The legacy quota of a name, as Nova's own migration copies it: PCPU gets that of cores. */
const legacyOf = (quotas: LegacyQuotas, { resourceName, registered }: NeededLimit): number | null => {
  // A registered PCPU limit was set on purpose; copies of cores would replace it.
  if (resourceName === 'class:PCPU' && registered !== null) return null
  const name = resourceName === 'class:PCPU' ? 'class:VCPU' : resourceName
  const found = QUOTA_NAMES.find((each) => each.resourceName === name)
  return found === undefined ? null : quotas[found.quota]
}

/**
 * Limits to write: the missing defaults; for each project its legacy quotas that differ from the default; and of GPUs at
 * least what it uses now, so that no project is over its limit on the first day. A legacy quota of -1 becomes a high
 * number on releases that take -1 literally. A step per project.
 */
export function* proposeLimits({ view, needed, projects, uses }: Input): Generator<void, RequestedLimit[]> {
  const own = ownLimits(view)
  const wishes: RequestedLimit[] = needed.flatMap(({ resourceName, proposed }) =>
    proposed === null ? [] : [{ resourceName, projectId: null, value: proposed }],
  )
  const wantedOf = (each: NeededLimit, { projectId, quotas }: ProjectQuotas): number | null => {
    const { resourceName } = each
    const used = uses.get(projectId)?.usages?.[resourceName.replace(/^class:/, '')] ?? 0
    const legacy = quotas === null ? null : legacyOf(quotas, each)
    // Otherwise the default would apply to such a project from the first day.
    if (legacy !== null) return legacy === -1 && view.isUnlimitedKnown !== true ? PLENTY : legacy
    const isGpu = /^class:(?!VCPU|PCPU|MEMORY_MB|DISK_GB)/.test(resourceName)
    return isGpu && used > 0 ? used : null
  }
  for (const project of projects) {
    for (const each of needed) {
      const { resourceName } = each
      const value = each.registered ?? each.proposed
      if (value === null || own?.get(project.projectId)?.has(resourceName)) continue
      const wanted = wantedOf(each, project)
      const isEnough =
        wanted === null || wanted === value || (legacyName(resourceName) ? false : wanted <= value)
      if (!isEnough) wishes.push({ resourceName, projectId: project.projectId, value: wanted })
    }
    yield
  }
  return wishes
}

const legacyName = (resourceName: string): boolean =>
  resourceName === 'class:PCPU' || QUOTA_NAMES.some((each) => each.resourceName === resourceName)

/** Nova's own tool, as an alternative to the proposals; without --region-id it writes rows that Nova never finds. */
export const migrateCommand = (regionId: string | null): Encoded<'shell'> =>
  sh`nova-manage limits migrate_to_unified_limits ${regionId === null ? sh`` : sh`${shellOption(sh`--region-id`, regionId)} `}--verbose --dry-run`
