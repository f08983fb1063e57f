import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { ownLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { type NextServer, nextServer } from '@/lib/domain/limits/next-server'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { MAX_PROJECTS, type ProjectUses } from '@/lib/services/quota/ask-usages'

type Seen = { fleet: Fleet; view: LimitView; projectIds: readonly string[]; uses: ProjectUses['uses'] }

const messageOf = (answer: NextServer): string | null => {
  if (answer.state === 'refused') return answer.message
  if (answer.state === 'unknown') return answer.because
  return answer.unchecked.length === 0
    ? null
    : 'As far as is known: Nova did not tell how many servers it has.'
}

/** How Nova would answer the next server of a flavor, for each project that may use it and was read. */
export const dryRun = ({ fleet, view, uses, projectIds }: Seen, flavorId: string): LimitSetUp['dryRun'] => {
  const found = gpuFlavors(fleet).find(({ flavor }) => flavor.id === flavorId)
  if (found === undefined) return null
  const { flavor } = found
  const own = ownLimits(view)
  const mayUse = (id: string): boolean => flavor.isPublic || flavor.projectIds?.includes(id) === true
  return {
    flavorId,
    unreadProjects: projectIds.slice(MAX_PROJECTS).filter(mayUse).length,
    projects: projectIds
      .slice(0, MAX_PROJECTS)
      .filter(mayUse)
      .map((projectId) => {
        const answer = nextServer(fleet, view, { own, projectId, use: uses.get(projectId), flavor })
        return {
          projectId,
          projectName: fleet.projects.get(projectId)?.name ?? projectId,
          state: answer.state,
          message: messageOf(answer),
        }
      }),
  }
}
