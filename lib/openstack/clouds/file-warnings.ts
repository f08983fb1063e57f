import { stat } from 'node:fs/promises'
import type { CloudConfig } from './cloud-config'

/** Files with passwords that others than their owner may read. A file without a readable mode was not read either. */
const openFiles = async (files: readonly string[]): Promise<string[]> => {
  const warnings: string[] = []
  for (const file of files) {
    const mode = (await stat(file).catch(() => null))?.mode
    if (mode === undefined || (mode & 0o077) === 0) continue
    const octal = (mode & 0o777).toString(8).padStart(4, '0')
    warnings.push(
      `${file} has mode ${octal}, so other users of this machine can read or change the passwords in it: run "chmod 600 ${file}", as the user that runs the console.`,
    )
  }
  return warnings
}

/** Recommendations to the operator about usable clouds. */
export const listCloudWarnings = async ({
  files,
  clouds,
}: {
  files: readonly string[]
  clouds: readonly Pick<CloudConfig, 'name' | 'verify'>[]
}): Promise<string[]> => [
  ...(await openFiles(files)),
  ...clouds
    .filter(({ verify }) => !verify)
    .map(
      ({ name }) =>
        `Cloud "${name}" has "verify: false" or "insecure: true": certificates are not checked, so another server could take its passwords and tokens. Set "cacert" to its certificate authority instead.`,
    ),
]
