import { isDescribedRelease, type NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { askVersions, type Oracle, printVersions } from '../harness/open-oracle'

type Release = { version: string; range: NovaRange; isDescribed: boolean }

/** The release of the functions, as Nova reports it; the console's side of a comparison uses the rules of that release. */
export const askRelease = async (oracle: Oracle): Promise<Release> => {
  const versions = await askVersions(oracle)
  const version = versions.nova
  if (version === undefined) throw new Error('Python finds no package of Nova; install python3-nova.')
  printVersions(`Nova ${version}`, versions)
  const release = Number.parseInt(version, 10)
  const isDescribed = isDescribedRelease(release)
  if (!isDescribed)
    process.stdout.write(`Nova ${version}: skipped, nova-releases.ts does not describe Nova ${release}\n`)
  return { version, range: { min: release, max: release }, isDescribed }
}
