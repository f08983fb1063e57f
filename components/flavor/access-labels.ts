import type { FlavorSummary } from '@/lib/schemas/api/flavor'
import { formatNoun } from '@/lib/util/format'

const MAX_NAMED = 2

/** The projects of a flavor, in a few words. */
export const accessText = ({ isPublic, projects }: Pick<FlavorSummary, 'isPublic' | 'projects'>): string => {
  if (isPublic) return 'every project'
  if (projects === null) return 'selected projects, not read yet'
  if (projects.length === 0) return 'no project'
  return projects.length > MAX_NAMED
    ? formatNoun(projects.length, 'project')
    : projects.map(({ name }) => name).join(', ')
}
