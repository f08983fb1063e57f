import 'server-only'
import { homedir } from 'node:os'
import { type LoadedClouds, loadClouds } from '@/lib/openstack/clouds/load-clouds'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { type Env, readCloudEnvironment } from '../env'
import type { Logger } from '../log'
import { StartError } from '../start-error'
import { usedClouds } from './used-clouds'

const problemLine = ({ file, line, message }: LoadedClouds['problems'][number]): string =>
  `${file}${line === null ? '' : `:${line}`}: ${message}`

/**
 * The service account of each cloud, by name. People sign in through the same connections: a cloud is asked so many times a
 * second, whoever asks. A bad entry beside good ones is left out.
 */
export const openAccounts = async ({ env, log }: { env: Env; log: Logger }): Promise<ServiceAccount[]> => {
  if (env.openstack === 'off') return []
  const loaded = await loadClouds({
    environment: readCloudEnvironment(),
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
  })
  const configs = usedClouds(loaded)
  const problems = loaded.problems.map(problemLine)
  if (configs.length === 0 && problems.length > 0) throw new StartError(problems.join('\n'))
  for (const problem of problems) log.warn(`A cloud is left out: ${problem}`)
  return configs.map(createServiceAccount)
}
