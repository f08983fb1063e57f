import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { ownLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { type NextServer, nextServer } from '@/lib/domain/limits/next-server'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import type { ProjectUses } from '@/lib/services/quota/ask-usages'

type Seen = { fleet: Fleet; view: LimitView; projectIds: readonly string[]; uses: ProjectUses['uses'] }

type DryRun = NonNullable<LimitSetUp['dryRun']>

/** Projects in the answer. */
const MAX_LISTED = 100

/** What needs attention comes first. */
const ORDER: Readonly<Record<NextServer['state'], number>> = { refused: 0, unknown: 1, fits: 2 }

const messageOf = (answer: NextServer): string | null => {
  if (answer.state === 'refused') return answer.message
  if (answer.state === 'unknown') return answer.because
  return answer.unchecked.length === 0
    ? null
    : 'As far as is known: Nova did not report how many servers it has.'
}

/** How Nova would answer the next server of a flavor, for each project that may use it. A step per project. */
export function* dryRun(
  { fleet, view, uses, projectIds }: Seen,
  flavorId: string,
): Generator<void, DryRun | null> {
  const found = gpuFlavors(fleet).find(({ flavor }) => flavor.id === flavorId)
  if (found === undefined) return null
  const { flavor } = found
  const own = ownLimits(view)
  const projects: DryRun['projects'] = []
  for (const projectId of projectIds) {
    if (!flavor.isPublic && flavor.projectIds?.includes(projectId) !== true) continue
    const answer = nextServer(fleet, view, { own, projectId, use: uses.get(projectId), flavor })
    projects.push({
      projectId,
      projectName: fleet.projects.get(projectId)?.name ?? projectId,
      state: answer.state,
      message: messageOf(answer),
    })
    yield
  }
  const count = (state: NextServer['state']): number =>
    projects.filter((project) => project.state === state).length
  return {
    flavorId,
    projects: projects.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]).slice(0, MAX_LISTED),
    counts: { refused: count('refused'), unknown: count('unknown'), fits: count('fits') },
  }
}
