import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DEMO_ACCOUNTS } from './accounts'

const { service } = DEMO_ACCOUNTS

/** The console's service account of one cloud, as openstacksdk reads it. */
const cloudsYaml = ({
  name,
  region,
  authUrl,
}: {
  name: string
  region: string
  authUrl: string
}): string => `clouds:
  ${name}:
    auth_type: password
    auth:
      auth_url: ${authUrl}
      username: ${service.name}
      password: ${service.password}
      user_domain_name: ${service.domain}
      project_name: ${service.project}
      project_domain_name: ${service.domain}
    region_name: ${region}
    interface: public
    identity_api_version: 3
`

/** Writes `clouds.yaml` into a folder, readable by its owner alone, and returns its path. */
export const writeCloudsYaml = (
  directory: string,
  cloud: { name: string; region: string; authUrl: string },
): string => {
  mkdirSync(directory, { recursive: true })
  const file = path.join(directory, 'clouds.yaml')
  writeFileSync(file, cloudsYaml(cloud), { mode: 0o600 })
  // The mode counts for new files only.
  chmodSync(file, 0o600)
  return file
}
