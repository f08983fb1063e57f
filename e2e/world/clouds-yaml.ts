import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'

/** What the browser tests' consoles call their cloud. */
export const CLOUD = 'paris-prod'

/** A clouds.yaml with the console's own account. */
export const cloudsYaml = (authUrl: string): string => `clouds:
  ${CLOUD}:
    region_name: RegionOne
    auth:
      auth_url: ${authUrl}
      username: ${DEMO_ACCOUNTS.service.name}
      password: ${DEMO_ACCOUNTS.service.password}
      project_name: ${DEMO_ACCOUNTS.service.project}
      user_domain_name: Default
      project_domain_name: Default
`
