import { maybe, type Random } from '../harness/random'
import { type Node, pairs, plain, yamlText } from './yaml-text'

export type CatalogEntryInput = {
  type: string
  name: string
  endpoints: { interface: string; region: string; region_id: string; url: string }[]
}
export type CloudsInput = {
  files: Record<string, string>
  environment: Record<string, string>
  catalog: CatalogEntryInput[]
}
type Pair = readonly [string, Node]

/** The files that settings of TLS name; both sides find them. */
type TlsFiles = { ca: string; cert: string; key: string }

const dashed = (random: Random, key: string): string => (random.chance(0.12) ? key.replaceAll('_', '-') : key)
const REGIONS = ['RegionOne', 'RegionTwo', 'shared'] as const
const INTERFACES = ['public', 'internal', 'admin', 'internalURL', 'publicURL'] as const

const domainPairs = (random: Random, whose: string): Pair[] => [
  ...maybe(random, 0.75, () => [dashed(random, `${whose}_domain_name`), 'Corp']),
  ...maybe(random, 0.25, () => [dashed(random, `${whose}_domain_id`), 'd1']),
]

const passwordPairs = (random: Random): Pair[] => [
  ...maybe(random, 0.97, () =>
    random.chance(0.85)
      ? [random.pick(['username', 'username', 'user_name']), 'sliceboard']
      : ['user_id', 'u1'],
  ),
  ...maybe(random, 0.97, () => ['password', random.pick(['secret', 's{x}', 'é"\\'])]),
  ...maybe(random, 0.9, () =>
    random.chance(0.8)
      ? [dashed(random, random.pick(['project_name', 'project_name', 'tenant_name'])), 'service']
      : [dashed(random, random.pick(['project_id', 'tenant_id'])), 'p1'],
  ),
  ...domainPairs(random, 'user'),
  ...domainPairs(random, 'project'),
  ...maybe(random, 0.1, () => [random.pick(['domain_id', 'domain_name', 'domain-name']), 'shared']),
  ...maybe(random, 0.08, () => [random.pick(['default_domain_id', 'default_domain_name']), 'first']),
  ...maybe(random, 0.08, () => ['trust_id', 't1']),
  ...maybe(random, 0.08, () => ['system_scope', random.pick(['all', 'all', 'some'])]),
]

const credentialPairs = (random: Random): Pair[] => [
  ...maybe(random, 0.7, () => ['application_credential_id', 'ac1']),
  ...maybe(random, 0.4, () => ['application_credential_name', 'console']),
  ...maybe(random, 0.85, () => ['application_credential_secret', 'hidden']),
  ...maybe(random, 0.4, () => ['username', 'sliceboard']),
  ...domainPairs(random, 'user'),
]

const authUrlPairs = (random: Random): Pair[] =>
  maybe(random, 0.88, () => [
    dashed(random, 'auth_url'),
    random.pick([
      'https://keystone.example.org:5000/v3',
      'https://keystone.example.org:5000/v3/',
      'http://10.0.0.10:5000',
      'http://10.0.0.10/identity',
      'https://{region_name}.example.org:5000/v3',
      'https://keystone.example.org/v2.0',
      '{unknown}://keystone.example.org',
      'ftp://keystone.example.org',
    ]),
  ])

const regionPairs = (random: Random): Pair[] => {
  const entry = (): Node =>
    random.chance(0.6)
      ? random.pick(REGIONS)
      : pairs(
          ...maybe(random, 0.9, () => ['name', random.pick(REGIONS)]),
          ...maybe(random, 0.6, () => [
            'values',
            pairs(
              ...maybe(random, 0.5, () => ['interface', random.pick(INTERFACES)]),
              ...maybe(random, 0.4, () => ['auth', pairs(['project_name', 'own'])]),
            ),
          ]),
          ...maybe(random, 0.06, () => ['interface', 'internal']),
        )
  const list = (): Node => Array.from({ length: Math.ceil(random.next() * 3) }, entry)
  return [
    ...maybe(random, 0.8, () => [
      dashed(random, 'region_name'),
      random.chance(0.75) ? random.pick(REGIONS) : random.chance(0.5) ? list() : 'RegionOne,RegionTwo',
    ]),
    ...maybe(random, 0.15, () => ['regions', random.chance(0.1) ? [] : list()]),
  ]
}

const servicePairs = (random: Random): Pair[] => {
  const service = random.pick(['compute', 'placement', 'identity'])
  return random.pick<() => Pair[]>([
    () => [[dashed(random, `${service}_interface`), random.pick(INTERFACES)]],
    () => [[`${service}_endpoint_type`, random.pick(INTERFACES)]],
    () => [[dashed(random, `${service}_region_name`), random.pick(REGIONS)]],
    () => [[`${service}_service_type`, random.pick(['compute', 'compute_legacy', 'placement'])]],
    () => [[`${service}_service_name`, random.pick(['nova', 'placement', 'other'])]],
    () => [[dashed(random, `${service}_endpoint_override`), 'http://override.example.org/x']],
    () => [[`${service}_endpoint`, 'http://{region_name}.example.org']],
  ])()
}

const tlsPairs = (random: Random, files: TlsFiles): Pair[] => [
  ...maybe(random, 0.2, () => ['verify', plain(random.pick(['true', 'false', 'yes', 'no', '"false"']))]),
  ...maybe(random, 0.15, () => ['insecure', plain(random.pick(['true', 'false', '"true"', '"yes"', 'on']))]),
  ...maybe(random, 0.2, () => ['cacert', files.ca]),
  ...maybe(random, 0.15, () => ['cert', files.cert]),
  ...maybe(random, 0.15, () => ['key', files.key]),
]

const otherPairs = (random: Random): Pair[] => [
  ...maybe(random, 0.5, () => [
    'interface',
    random.chance(0.15) ? ['internal', 'public'] : random.pick([...INTERFACES, 'elsewhere']),
  ]),
  ...maybe(random, 0.1, () => ['endpoint_type', random.pick(INTERFACES)]),
  ...maybe(random, 0.05, () => ['endpoint-type', 'adminURL']),
  ...maybe(random, 0.15, () => [dashed(random, 'api_timeout'), plain(random.pick(['5', '2.5', '"7"']))]),
  ...maybe(random, 0.05, () => ['compute_timeout', plain('9')]),
  ...maybe(random, 0.2, () => ['identity_api_version', plain('3')]),
  ...maybe(random, 0.15, () => [random.pick(['profile', 'cloud']), random.pick(['acme', 'nobody', 'c'])]),
]

const entry = (random: Random, files: TlsFiles): Node => {
  const isCredential = random.chance(0.2)
  const all = [...authUrlPairs(random), ...(isCredential ? credentialPairs(random) : passwordPairs(random))]
  const extra = all.filter(() => random.chance(0.06))
  const below = all.filter((pair) => !extra.includes(pair))
  const unknown = maybe(random, 0.05, () => ['otp', '1'])
  const type = isCredential
    ? maybe(random, 0.95, () => [random.pick(['auth_type', 'auth_plugin']), 'v3applicationcredential'])
    : maybe(random, 0.4, () => [
        dashed(random, 'auth_type'),
        random.pick(['password', 'v3password', 'password', 'v3nothing']),
      ])
  const rest: Pair[] = [
    ['auth', pairs(...below, ...unknown)],
    ...extra,
    ...type,
    ...regionPairs(random),
    ...otherPairs(random),
    ...tlsPairs(random, files),
    ...(random.chance(0.4) ? servicePairs(random) : []),
    ...(random.chance(0.15) ? servicePairs(random) : []),
  ]
  const repeated = maybe(random, 0.05, () => ['region_name', random.pick(REGIONS)])
  return pairs(...rest.sort(() => random.next() - 0.5), ...repeated)
}

const catalogOf = (random: Random): CatalogEntryInput[] =>
  (
    [
      ['compute', 'nova'],
      ['compute_legacy', 'other'],
      ['placement', 'placement'],
    ] as const
  ).map(([type, name]) => ({
    type,
    name,
    endpoints: REGIONS.flatMap((region) =>
      (['public', 'internal', 'admin'] as const)
        .filter(() => random.chance(0.85))
        .map((interfaceName) => ({
          interface: interfaceName,
          region,
          region_id: region,
          url: `http://${interfaceName}.${region.toLowerCase()}.example.org/${name}`,
        })),
    ),
  }))

/** A clouds.yaml with one entry, half sound and half not, sometimes with secure.yaml and a profile; or the OS_ variables. */
export const generateClouds = (random: Random, tls: TlsFiles): CloudsInput => {
  const catalog = catalogOf(random)
  const text = yamlText(pairs(['clouds', pairs(['c', entry(random, tls)])]))
  const files: Record<string, string> = { 'clouds.yaml': text }
  if (random.chance(0.15))
    files['secure.yaml'] = yamlText(
      pairs(['clouds', pairs(['c', pairs(['auth', pairs(['password', 'better'])])])]),
    )
  if (random.chance(0.5))
    files['clouds-public.yaml'] = yamlText(
      pairs([
        'public-clouds',
        pairs([
          'acme',
          pairs(
            ['auth', pairs(['auth_url', 'https://acme.example.org/v3'], ['user_domain_name', 'Acme'])],
            ...maybe(random, 0.5, () => ['region_name', 'shared']),
            ...maybe(random, 0.3, () => ['regions', ['RegionOne', 'RegionTwo']]),
            ...maybe(random, 0.5, () => ['interface', 'internal']),
          ),
        ]),
      ]),
    )
  const environment: Record<string, string> = random.chance(0.12)
    ? {
        OS_AUTH_URL: 'http://10.0.0.10:5000/v3',
        OS_USERNAME: 'admin',
        OS_PASSWORD: 'p',
        OS_PROJECT_NAME: 'admin',
        OS_USER_DOMAIN_NAME: 'Default',
        ...(random.chance(0.5) ? { OS_PROJECT_DOMAIN_ID: 'default' } : {}),
        ...(random.chance(0.5) ? { OS_REGION_NAME: 'RegionOne' } : {}),
        ...(random.chance(0.3) ? { OS_ENDPOINT_TYPE: 'internalURL' } : {}),
        ...(random.chance(0.3) ? { OS_PLACEMENT_INTERFACE: 'admin' } : {}),
      }
    : {}
  return { files, environment, catalog }
}
