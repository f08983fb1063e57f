import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { FitQuestion } from './explain-fit'

/** The question for each host: the first whose providers it has, else the first of all. Indexes by host name. */
export const askHosts = (fleet: Fleet, questions: readonly FitQuestion[]): ReadonlyMap<string, number> =>
  new Map(
    fleet.hosts.map((joined): [string, number] => {
      const providers = joined.pgpus.flatMap((entry) => entry.providers)
      const index = questions.findIndex(({ filter }) => providers.some((entry) => filter(joined, entry)))
      return [joined.host.name, Math.max(0, index)]
    }),
  )
