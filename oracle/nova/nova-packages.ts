import * as z from 'zod'
import { isDescribedRelease, type NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { type Oracle, printVersions } from '../harness/open-oracle'

const answerSchema = z.object({ value: z.string() })

type Release = { version: string; range: NovaRange; isDescribed: boolean }

/** The release of the functions, as Nova reports it; the console's side of a comparison uses the rules of that release. */
export const askRelease = async (oracle: Oracle): Promise<Release> => {
  const { value: version } = answerSchema.parse(await oracle.call('version', null))
  await printVersions(oracle, `Nova ${version}`)
  const release = Number.parseInt(version, 10)
  const isDescribed = isDescribedRelease(release)
  if (!isDescribed)
    process.stdout.write(`Nova ${version}: skipped, nova-releases.ts does not describe Nova ${release}\n`)
  return { version, range: { min: release, max: release }, isDescribed }
}
