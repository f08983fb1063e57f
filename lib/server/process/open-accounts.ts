import 'server-only'
import { homedir } from 'node:os'
import type { CloudConfig } from '@/lib/openstack/clouds/cloud-config'
import { listCloudWarnings } from '@/lib/openstack/clouds/file-warnings'
import { joinEntries } from '@/lib/openstack/clouds/join-entries'
import { type LoadedClouds, loadClouds } from '@/lib/openstack/clouds/load-clouds'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { readSystemCertificates } from '@/lib/openstack/transport/system-certificates'
import type { Logger } from '@/lib/server/context/log'
import { StartError } from '@/lib/server/errors/start-error'
import { type Env, readCertificateFile, readCloudEnvironment } from '@/lib/server/settings/env'

/**
 * The clouds that the console manages, by name. The first region of an entry of clouds.yaml has the entry's name; each
 * further one is a separate cloud with openstacksdk's full name, `paris:RegionTwo`. OS_CLOUD restricts them to one entry.
 */
export const usedClouds = ({
  clouds,
  selectedName,
}: Pick<LoadedClouds, 'clouds' | 'selectedName'>): CloudConfig[] => {
  const wanted = clouds.filter(({ name }) => selectedName === null || name === selectedName)
  const entries = new Set(wanted.map(({ name }) => name))
  const byName = new Map<string, CloudConfig>()
  for (const cloud of wanted) {
    const isFirst = !byName.has(cloud.name)
    const name = isFirst ? cloud.name : `${cloud.name}:${cloud.region}`
    if (isFirst || !(byName.has(name) || entries.has(name))) byName.set(name, { ...cloud, name })
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const problemLine = ({ file, line, message }: LoadedClouds['problems'][number]): string =>
  `${file}${line === null ? '' : `:${line}`}: ${message}`

const NO_CLOUD_REMEDY =
  'No cloud can be used, so no user could sign in and Sliceboard does not start. Correct the file, or set SLICEBOARD_SIGN_IN=off to run it without sign-in.'

const noCloud = ({ files }: LoadedClouds, problems: readonly string[]): StartError => {
  const reasons =
    problems.length > 0 ? problems : files.map((file) => `${file}: The file describes no cloud.`)
  return new StartError([...reasons, NO_CLOUD_REMEDY].join('\n'))
}

const TOLERATED_MS = 60_000

/** One line when Keystone's clock begins to differ from this machine's, and one when it no longer does. */
export const reportClockDifference = (log: Logger, cloud: string) => {
  let isReported = false
  return (differenceMs: number): void => {
    const isLarge = Math.abs(differenceMs) > TOLERATED_MS
    if (isLarge === isReported) return
    isReported = isLarge
    const seconds = Math.round(Math.abs(differenceMs) / 1000)
    const direction = differenceMs < 0 ? 'behind' : 'ahead of'
    const fields = { cloud, differenceSeconds: Math.round(differenceMs / 1000) }
    if (isLarge)
      log.warn(
        fields,
        `Keystone's clock is ${seconds} s ${direction} the clock of this machine: check NTP on both. Sign-in still works, because lifetimes of tokens are counted from when they are received.`,
      )
    else log.info(fields, "Keystone's clock agrees with the clock of this machine again")
  }
}

/**
 * The service account of each cloud, by name. Sign-in uses the same connections: the request
 * rate of a cloud is limited for all callers together. An invalid entry among valid ones is skipped. A configuration without any usable cloud stops the start:
 * otherwise a typing error would open the console to everybody as admin.
 */
export const openAccounts = async ({ env, log }: { env: Env; log: Logger }): Promise<ServiceAccount[]> => {
  if (env.openstack === 'off') return []
  const loaded = await loadClouds({
    environment: readCloudEnvironment(),
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
  })
  const joined =
    loaded.selectedName === null ? joinEntries(loaded.clouds) : { clouds: loaded.clouds, notices: [] }
  const configs = usedClouds({ ...loaded, clouds: joined.clouds })
  const problems = loaded.problems.map(problemLine)
  if (configs.length === 0 && loaded.isConfigured && env.signIn === 'auto') throw noCloud(loaded, problems)
  for (const problem of problems) log.warn(`A cloud is skipped: ${problem}`)
  for (const warning of [...loaded.warnings.map(problemLine), ...joined.notices]) log.warn(warning)
  for (const note of loaded.notes) log.info(problemLine(note))
  for (const warning of await listCloudWarnings({ files: loaded.files, clouds: configs })) log.warn(warning)
  const system = readSystemCertificates({ file: readCertificateFile() })
  return configs.map((config) =>
    createServiceAccount(
      { ...config, caPem: config.caPem ?? system },
      { onClockDifference: reportClockDifference(log, config.name) },
    ),
  )
}
