import * as z from 'zod'
import { SYSTEMS } from '../watcher/releases'
import type { ReleaseRun } from './read-run'

/** lab/verified-releases.json: the version of Nova by release, and the tests that changed since by release. */
export const verifiedReleasesSchema = z.object({
  releases: z.record(z.string(), z.string()),
  changedSince: z.record(z.string(), z.array(z.string())),
})
export type VerifiedReleases = z.infer<typeof verifiedReleasesSchema>

/** Adds a release on which every test passed. Any other result changes nothing. */
export const addVerified = (
  { releases, changedSince }: VerifiedReleases,
  { name, run }: { name: string; run: ReleaseRun },
): VerifiedReleases => {
  if (run.kind === 'skipped' || run.nova === null) return { releases, changedSince }
  if (run.counts.failed > 0 || run.counts.passed === 0) return { releases, changedSince }
  const versions: Readonly<Record<string, string>> = { ...releases, [name]: run.nova }
  return {
    releases: Object.fromEntries(
      Object.keys(SYSTEMS).flatMap((each) => (versions[each] === undefined ? [] : [[each, versions[each]]])),
    ),
    changedSince: Object.fromEntries(Object.entries(changedSince).filter(([each]) => each !== name)),
  }
}
