import { randomBytes } from 'node:crypto'
import type { CloudConfig } from '../../clouds/cloud-config'
import { OpenStackError } from '../../openstack-error'
import { createPlacement } from '../../placement/create-placement'
import type { PlacementClient } from '../../placement/types'
import { createServiceAccount } from '../../session/create-service-account'
import type { ServiceAccount } from '../../session/types'
import { testCloudConfig } from '../cloud-config'

export type SuiteCredentials = { userName: string; userDomain: string; password: string; projectName: string }

/** A cloud that the suite runs against. */
export type ClientTarget = {
  authUrl: string
  region: string
  credentials: {
    /** Admin on the project and on the system. */
    admin: SuiteCredentials
    /** An account with a role on one project and no more. */
    tenant: SuiteCredentials
  }
  capabilities: {
    /** Nova's highest microversion. */
    novaMaximum: string
    /** Some host has a provider with VGPU, and some server holds one. */
    hasVgpuServers: boolean
  }
  /** Lets time pass in the cloud: by its own clock, or by ours. */
  letTimePass: () => Promise<void>
}

export const configOf = (
  { authUrl, region }: ClientTarget,
  { userName, userDomain, password, projectName }: SuiteCredentials,
): CloudConfig =>
  testCloudConfig({
    name: 'suite',
    authUrl,
    region,
    account: { name: userName, password, domain: userDomain, project: projectName },
    timeoutMs: 30_000,
  })

/** A name that nothing else in the cloud has; fit for traits and classes. */
export const ownName = (stem: string): string =>
  `CUSTOM_SUITE_${stem}_${randomBytes(4).toString('hex').toUpperCase()}`

/** The admin's account and clients, for one test; the functions of `after` run in reverse, also after a failure. */
export const withAdmin = async (
  target: ClientTarget,
  work: (tools: {
    account: ServiceAccount
    placement: PlacementClient
    after: (cleanup: () => Promise<unknown>) => void
  }) => Promise<void>,
): Promise<void> => {
  const account = createServiceAccount(configOf(target, target.credentials.admin))
  const cleanups: (() => Promise<unknown>)[] = []
  try {
    await work({
      account,
      placement: createPlacement({ account }),
      after: (cleanup) => cleanups.unshift(cleanup),
    })
  } finally {
    for (const cleanup of cleanups) await cleanup().catch(ignoreGone)
    await account.close()
  }
}

/** What a test has already taken away itself. */
const ignoreGone = (error: unknown) => {
  if (!(error instanceof OpenStackError && error.status === 404)) throw error
}

/** The error that a request must end with. */
export const errorOf = async (work: Promise<unknown>): Promise<OpenStackError> => {
  const outcome: unknown = await work.catch((error: unknown) => error)
  if (outcome instanceof OpenStackError) return outcome
  throw new Error('The request was answered, but an error was expected.')
}
