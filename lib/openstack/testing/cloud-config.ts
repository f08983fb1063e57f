import type { CloudConfig } from '../clouds/cloud-config'

/** As clouds.yaml would give it: one account with a password, and a project in the account's own domain. */
export const testCloudConfig = ({
  name,
  authUrl,
  account,
  region = 'RegionOne',
  timeoutMs = 10_000,
  requestsPerSecond = 500,
}: Pick<CloudConfig, 'name' | 'authUrl'> &
  Partial<Pick<CloudConfig, 'region' | 'timeoutMs' | 'requestsPerSecond'>> & {
    account: { name: string; password: string; domain: string; project: string }
  }): CloudConfig => ({
  name,
  region,
  authUrl,
  auth: {
    kind: 'password',
    user: { name: account.name, domain: { name: account.domain } },
    password: account.password,
    project: { name: account.project, domain: { name: account.domain } },
    trustId: null,
    isSystemScoped: false,
  },
  interfaces: ['public'],
  verify: true,
  caFile: null,
  caPem: null,
  clientCertificate: null,
  services: {},
  timeoutMs,
  requestsPerSecond,
})
