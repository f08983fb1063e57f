import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '@/agent/http/testing/loopback-certificate'
import { loadClouds } from './load-clouds'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clouds-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const put = async (name: string, text: string) => {
  const file = join(root, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

const load = (environment: Record<string, string> = {}) =>
  loadClouds({
    environment,
    workingDirectory: join(root, 'work'),
    homeDirectory: join(root, 'home'),
    systemDirectory: join(root, 'etc'),
  })

const CLOUD = (name: string) => `clouds:
  ${name}:
    region_name: RegionOne
    auth:
      auth_url: http://127.0.0.1:5000/v3/
      username: sliceboard
      project_name: service
      password: "007"
      user_domain_name: Default
`

describe('loadClouds', () => {
  it('takes the first file in openstacksdk’s order', async () => {
    await put('etc/clouds.yaml', CLOUD('system'))
    expect((await load()).clouds.map((cloud) => cloud.name)).toEqual(['system'])
    await put('home/.config/openstack/clouds.yaml', CLOUD('mine'))
    expect((await load()).clouds.map((cloud) => cloud.name)).toEqual(['mine'])
    await put('work/clouds.yml', CLOUD('here'))
    expect((await load()).clouds.map((cloud) => cloud.name)).toEqual(['here'])
    const named = await put('other.yaml', CLOUD('named'))
    const loaded = await load({ OS_CLIENT_CONFIG_FILE: named })
    expect(loaded.clouds.map((cloud) => cloud.name)).toEqual(['named'])
    expect(loaded.files).toEqual([named])
  })

  it('does not apply a default domain to v3password', async () => {
    const domains = 'default_domain_id: first\n    auth_type: v3password\n    auth:'
    await put('etc/clouds.yaml', CLOUD('prod').replace('auth:', domains))
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds[0]?.auth).toMatchObject({ user: { domain: { name: 'Default' } } })
  })

  it('reads a password user with its project, and keeps a password of digits as written', async () => {
    await put('etc/clouds.yaml', CLOUD('kolla').replace('"007"', '007'))
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds).toEqual([
      {
        name: 'kolla',
        region: 'RegionOne',
        authUrl: 'http://127.0.0.1:5000/v3',
        auth: {
          kind: 'password',
          user: { name: 'sliceboard', domain: { name: 'Default' } },
          password: '007',
          project: { name: 'service', domain: { id: 'default' } },
          trustId: null,
          isSystemScoped: false,
        },
        interfaces: ['public'],
        verify: true,
        caFile: null,
        caPem: null,
        clientCertificate: null,
        services: {},
        timeoutMs: 30_000,
        requestsPerSecond: 40,
      },
    ])
  })

  it('lays secure.yaml over clouds.yaml', async () => {
    await put('etc/clouds.yaml', CLOUD('kolla').replace('      password: "007"\n', ''))
    await put('home/.config/openstack/secure.yaml', 'clouds:\n  kolla:\n    auth:\n      password: hidden\n')
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds[0]?.auth).toMatchObject({ password: 'hidden', user: { name: 'sliceboard' } })
  })

  it('reads application credentials, system scope, overrides, interface, verify and regions', async () => {
    await put(
      'etc/clouds.yaml',
      `clouds:
  cred:
    auth_type: v3applicationcredential
    auth: {auth_url: https://keystone.example, application_credential_id: abc, application_credential_secret: s}
    interface: internalURL
    verify: false
    api_timeout: 5
    placement_endpoint_override: https://placement.example/placement/
    regions: [north, {name: south, values: {interface: admin}}]
  system:
    auth: {auth_url: https://keystone.example/v3, user_id: u1, password: p, system_scope: all}
`,
    )
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds.map((cloud) => [cloud.name, cloud.region, cloud.interfaces])).toEqual([
      ['cred', 'north', ['internal']],
      ['cred', 'south', ['admin']],
      ['system', null, ['public']],
    ])
    expect(clouds[0]).toMatchObject({
      auth: { kind: 'application-credential', credential: { id: 'abc' }, secret: 's' },
      verify: false,
      timeoutMs: 5000,
      services: { placement: { endpointOverride: 'https://placement.example/placement' } },
    })
    expect(clouds[2]?.auth).toMatchObject({ user: { id: 'u1' }, project: null, isSystemScoped: true })
  })

  it('fills what a local profile describes, and reports which profile is missing', async () => {
    await put(
      'etc/clouds-public.yaml',
      'public-clouds:\n  acme:\n    auth: {auth_url: https://acme.example/v3}\n',
    )
    const auth = 'auth: {username: u, password: p, project_id: x}'
    await put(
      'etc/clouds.yaml',
      `clouds:\n  a:\n    profile: acme\n    ${auth}\n  b:\n    profile: unlisted\n    ${auth}\n`,
    )
    const { clouds, problems } = await load()
    expect(clouds.map((cloud) => [cloud.name, cloud.authUrl])).toEqual([['a', 'https://acme.example/v3']])
    expect(problems).toEqual([
      expect.objectContaining({ line: 6, message: expect.stringContaining('profile "unlisted"') }),
    ])
  })

  it('makes a cloud of the OS_ variables, and checks OS_CLOUD', async () => {
    const loaded = await load({
      OS_AUTH_URL: 'http://127.0.0.1:5000',
      OS_USERNAME: 'admin',
      OS_PASSWORD: 'p',
      OS_PROJECT_NAME: 'admin',
      OS_PROJECT_DOMAIN_ID: 'default',
      OS_REGION_NAME: 'RegionOne',
      OS_CLOUD: 'gone',
    })
    expect(loaded.clouds).toEqual([expect.objectContaining({ name: 'envvars', region: 'RegionOne' })])
    expect(loaded.selectedName).toBe('gone')
    expect(loaded.problems.map((problem) => problem.message)).toEqual([
      'OS_CLOUD is "gone", but no clouds.yaml has a usable cloud of that name.',
    ])
    expect((await load({ OS_REGION_NAME: 'RegionOne' })).clouds).toEqual([])
  })

  it('states file, line and rule of broken YAML, and nothing of its text', async () => {
    const file = await put(
      'etc/clouds.yaml',
      'clouds:\n  a:\n    auth:\n      password: "Zwetschge\n  b: [}\n',
    )
    const { clouds, problems } = await load()
    expect(clouds).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ file, line: expect.any(Number) })
    expect(JSON.stringify(problems)).not.toContain('Zwetschge')
  })

  it('names the line of a bad value and leaves that cloud out, the others are read', async () => {
    const file = await put(
      'etc/clouds.yaml',
      `${CLOUD('good')}  bad:\n    verify: maybe\n    auth: {auth_url: ftp://x, username: u, password: Zwetschge}\n`,
    )
    const { clouds, problems } = await load()
    expect(clouds.map((cloud) => cloud.name)).toEqual(['good'])
    expect(problems).toEqual(
      expect.arrayContaining([
        { file, line: 11, message: 'Cloud "bad": verify is "maybe", but it must be true or false.' },
        { file, line: 12, message: expect.stringContaining('auth_url must be an address') },
        { file, line: 12, message: expect.stringContaining('neither a project nor system_scope') },
      ]),
    )
    expect(JSON.stringify(problems)).not.toContain('Zwetschge')
  })

  it.each([
    ['a list', '- a\n'],
    ['clouds as a text', 'clouds: yes\n'],
    ['a cloud as a text', 'clouds: {a: b}\n'],
    ['auth as a list', 'clouds: {a: {auth: [1, 2]}}\n'],
    ['v2.0', 'clouds: {a: {auth: {auth_url: "http://x/v2.0", username: u, password: p, project_id: x}}}\n'],
    ['an unknown auth_type', 'clouds: {a: {auth_type: v3oidc, auth: {auth_url: "http://x/v3"}}}\n'],
    [
      'a missing CA',
      'clouds: {a: {cacert: /nowhere.pem, auth: {auth_url: "http://x", username: u, password: p, project_id: x}}}\n',
    ],
    [
      'a password in the address',
      'clouds: {a: {auth: {auth_url: "http://u:p@x", username: u, password: p, project_id: x}}}\n',
    ],
    [
      'many aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: [${'*c,'.repeat(9)}]\n`,
    ],
    ['thousands of brackets', `clouds: ${'['.repeat(20_000)}`],
    ['a map that holds itself', 'clouds:\n  lab: &lab\n    auth: {auth_url: "http://x"}\n    more: *lab\n'],
  ])('turns %s into a problem', async (_name, text) => {
    await put('etc/clouds.yaml', text)
    const { clouds, problems } = await load()
    expect(clouds).toEqual([])
    expect(problems.length).toBeGreaterThan(0)
  })

  it('merges anchors', async () => {
    await put(
      'etc/clouds.yaml',
      'base: &base {auth_url: http://x/v3, username: u, password: p, project_id: x}\nclouds: {a: {auth: {<<: *base, username: v}}}\n',
    )
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds[0]?.auth).toMatchObject({ user: { name: 'v' } })
  })

  // field: keystone 06; openstack/config/loader.py: _get_regions, merge_clouds, _validate_config_file
  it('takes an empty list of regions as one unnamed region', async () => {
    await put('etc/clouds.yaml', CLOUD('prod').replace('region_name: RegionOne', 'regions: []'))
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds.map(({ name, region }) => [name, region])).toEqual([['prod', null]])
  })

  it('takes clouds that only secure.yaml describes', async () => {
    await put('etc/secure.yaml', CLOUD('prod'))
    const alone = await load()
    expect([alone.clouds.map(({ name }) => name), alone.problems]).toEqual([['prod'], []])
    await put('etc/clouds.yaml', `${CLOUD('test')}  prod:\n`)
    expect((await load()).clouds.map(({ name }) => name)).toEqual(['test', 'prod'])
  })

  it('looks in the folders of XDG_CONFIG_DIRS as well', async () => {
    await put('xdg/openstack/clouds.yaml', CLOUD('site'))
    const { clouds } = await load({ XDG_CONFIG_DIRS: `${join(root, 'none')}:${join(root, 'xdg')}` })
    expect(clouds.map(({ name }) => name)).toEqual(['site'])
  })

  it.each([
    [
      'cloud:\n  prod:\n    auth: {}\n',
      null,
      'The file has no "clouds:" at its top but "cloud:"; rename it to "clouds:".',
    ],
    [
      'Clouds:\n  prod:\n    auth: {}\n',
      null,
      'The file has no "clouds:" at its top but "Clouds:"; rename it to "clouds:".',
    ],
    [
      'cache:\n  expiration: 1\n',
      null,
      'The file has no "clouds:" at its top; put the clouds below "clouds:".',
    ],
    ['', null, 'The file is empty; describe a cloud below "clouds:".'],
    ['# nothing yet\n', null, 'The file is empty; describe a cloud below "clouds:".'],
    ['---\nclouds:\n', 2, '"clouds:" is empty; describe a cloud below it.'],
    ['clouds: {}\n', 1, '"clouds:" is empty; describe a cloud below it.'],
    ['clouds: {prod: }\n', 1, 'Cloud "prod" must be a map with "auth:" in it.'],
  ])('reports why %j yields no cloud', async (text, line, message) => {
    const file = await put('etc/clouds.yaml', text)
    expect(await load()).toMatchObject({
      clouds: [],
      isConfigured: true,
      problems: [{ file, line, message }],
    })
  })

  it('reports a link without a target and a folder in place of the file, and continues with the next file', async () => {
    const link = join(root, 'work', 'clouds.yaml')
    await put('work/clouds.yml/inside', '')
    await symlink(join(root, 'gone.yaml'), link)
    const before = await load()
    expect(before).toMatchObject({ clouds: [], isConfigured: true })
    expect(before.problems.map(({ file, message }) => [file, message])).toEqual([
      [link, 'The file is a link to a file that does not exist; correct the link or remove it.'],
      [join(root, 'work', 'clouds.yml'), "The file can't be read (EISDIR)."],
    ])
    await put('etc/clouds.yaml', CLOUD('system'))
    expect(await load()).toMatchObject({ clouds: [{ name: 'system' }], problems: before.problems })
  })

  // field: keystone 05; openstack/config/loader.py: _expand_vendor_profile
  it('continues without a profile that is not described when the entry has its own auth_url', async () => {
    await put('etc/clouds.yaml', CLOUD('prod').replace('    region', '    profile: vexxhost\n    region'))
    const { clouds, problems, warnings } = await load()
    expect([clouds.map(({ name }) => name), problems]).toEqual([['prod'], []])
    expect(warnings).toEqual([
      expect.objectContaining({ line: 3, message: expect.stringContaining('the profile "vexxhost"') }),
    ])
  })

  // field: keystone 08; PyYAML
  it('uses the later of repeated keys, and names their lines', async () => {
    const text = CLOUD('prod').replace('    auth:', '    region_name: RegionTwo\n    auth:')
    const file = await put('etc/clouds.yaml', text)
    const { clouds, problems, warnings } = await load()
    expect(clouds.map(({ region }) => region)).toEqual(['RegionTwo'])
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      { file, line: 4, message: '"region_name" is repeated; this later value is used.' },
    ])
  })

  // loader.py: _get_known_regions
  it.each([
    ['region_name: [a, b]', ['a', 'b']],
    ['region_name: a,b', ['a', 'b']],
    ['region_name: c\n    regions: [a, b]', ['a', 'b']],
    ['region-name: a', ['a']],
    ['regions: [{name: a}]\n    region_name: b', ['a']],
    ['regions: [a, b, {name: a, values: {interface: admin}}]', ['a', 'b']],
  ])('reads the regions of "%s"', async (line, regions) => {
    await put('etc/clouds.yaml', CLOUD('prod').replace('region_name: RegionOne', line))
    const { clouds, problems } = await load()
    expect([clouds.map(({ region }) => region), problems]).toEqual([regions, []])
  })

  // field: keystone 11, 12; cloud_region.py: _get_config
  it('reads the settings of one service', async () => {
    const lines =
      'placement_interface: internal\n    placement-region-name: shared\n    compute_endpoint_type: adminURL\n    compute_service_type: compute_legacy\n    compute_endpoint: http://nova:8774\n    identity_endpoint_override: http://inner:5000/v3'
    await put('etc/clouds.yaml', CLOUD('prod').replace('    auth:', `    ${lines}\n    auth:`))
    const { clouds, warnings, problems } = await load()
    expect([problems, warnings]).toEqual([[], []])
    expect(clouds[0]?.services).toEqual({
      nova: {
        interfaces: ['admin'],
        serviceType: 'compute_legacy',
        endpointOverride: 'http://nova:8774',
      },
      placement: { interfaces: ['internal'], region: 'shared' },
      keystone: { endpointOverride: 'http://inner:5000/v3' },
    })
  })

  it('reads the settings of Neutron', async () => {
    const lines = [
      'network_interface: internal',
      'network-region-name: shared',
      'network_endpoint_override: http://neutron:9696/v2.0/',
      'network_api_version: 2',
    ].join('\n    ')
    await put('etc/clouds.yaml', CLOUD('prod').replace('    auth:', `    ${lines}\n    auth:`))
    const { clouds, warnings, problems, notes } = await load()
    expect([problems, warnings]).toEqual([[], []])
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/not read: network_api_version\.$/),
    ])
    expect(clouds[0]?.services).toEqual({
      neutron: {
        interfaces: ['internal'],
        region: 'shared',
        endpointOverride: 'http://neutron:9696/v2.0',
      },
    })
  })

  it('keeps a cloud whose settings of Neutron are wrong, because Neutron is optional', async () => {
    for (const [line, rule] of [
      [
        'network_interface: intern',
        'network_interface is "intern", but it must be public, internal or admin.',
      ],
      ['network_endpoint_override: neutron:9696', 'network_endpoint_override must be an address'],
    ]) {
      await put('etc/clouds.yaml', CLOUD('prod').replace('    auth:', `    ${line}\n    auth:`))
      const { clouds, warnings, problems } = await load()
      expect(problems).toEqual([])
      expect(clouds.map(({ name }) => name)).toEqual(['prod'])
      expect(warnings).toMatchObject([{ line: 4, message: expect.stringContaining(`Cloud "prod": ${rule}`) }])
      expect(clouds[0]?.services.neutron?.unusableBecause).toBe(warnings[0]?.message)
    }
    await put(
      'etc/clouds.yaml',
      CLOUD('prod').replace('    auth:', '    compute_interface: intern\n    auth:'),
    )
    expect((await load()).clouds).toEqual([])
  })

  // field: keystone 14
  it('reads keys with dashes and trusts, and names each key that it does not read', async () => {
    const dashed = CLOUD('prod').replace('user_domain_name: Default', 'user-domain-name: Corp')
    await put(
      'etc/clouds.yaml',
      dashed.replace('    auth:', '    iamge: x\n    image_api_version: 2\n    auth:\n      otp: 1'),
    )
    const { clouds, warnings, notes } = await load()
    expect(clouds[0]?.auth).toMatchObject({ user: { domain: { name: 'Corp' } } })
    expect(warnings.map(({ message }) => message)).toEqual([
      'Cloud "prod": keys that Sliceboard does not read: iamge, auth.otp.',
    ])
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringContaining('only other clients need, and that are not read: image_api_version.'),
    ])
    await put('etc/clouds.yaml', CLOUD('prod').replace('project_name: service', 'trust_id: t1'))
    expect((await load()).clouds[0]?.auth).toMatchObject({ project: null, trustId: 't1' })
  })

  it('fills names in braces, lets insecure win, and needs no authority where nothing is checked', async () => {
    const text = CLOUD('prod')
      .replace('127.0.0.1:5000', '{region_name}.example.org')
      .replace('    auth:', '    insecure: true\n    verify: true\n    cacert: /nowhere.pem\n    auth:')
    await put('etc/clouds.yaml', text)
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds[0]).toMatchObject({
      authUrl: 'http://regionone.example.org/v3',
      verify: false,
      caPem: null,
    })
    await put('etc/clouds.yaml', text.replace('{region_name}', '{regoin_name}'))
    expect((await load()).problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('auth.auth_url has braces') }),
    ])
  })

  // field: keystone 03; cloud_region.py: get_requests_verify_args
  it('reads a client certificate, and refuses a pair that does not belong together', async () => {
    const certFile = await put('work/client.pem', LOOPBACK_CERTIFICATE)
    await put('work/client.key', LOOPBACK_KEY)
    const withLines = (lines: string) =>
      put('etc/clouds.yaml', CLOUD('prod').replace('    auth:', `    ${lines}\n    auth:`))
    await withLines('cert: client.pem\n    key: client.key')
    const { clouds, problems } = await load()
    expect(problems).toEqual([])
    expect(clouds[0]?.clientCertificate).toEqual({ certPem: LOOPBACK_CERTIFICATE, keyPem: LOOPBACK_KEY })
    await withLines('cert: client.pem')
    expect((await load()).problems).toEqual([
      expect.objectContaining({
        message: `Cloud "prod": cert names ${certFile}, which holds no private key; name its file as key.`,
      }),
    ])
    await withLines('cert: gone.pem')
    expect((await load()).problems[0]?.message).toContain("which can't be read (ENOENT)")
  })

  it('without any file reports that nothing is configured', async () => {
    expect(await load()).toMatchObject({ clouds: [], problems: [], files: [], isConfigured: false })
    expect((await load({ OS_CLOUD: 'prod' })).isConfigured).toBe(true)
  })

  // Closed to root, nothing is; so this test drops that right while it looks.
  it('reports a file and a folder that it may not read', async () => {
    const file = await put('etc/clouds.yaml', CLOUD('system'))
    await mkdir(join(root, 'work'))
    await chmod(root, 0o755)
    const problemsAs = async (path: string): Promise<string[]> => {
      await chmod(path, 0)
      const isRoot = process.getuid?.() === 0
      if (isRoot) process.seteuid?.(65_534)
      try {
        return (await load()).problems.map(({ message }) => message)
      } finally {
        if (isRoot) process.seteuid?.(0)
        await chmod(path, 0o755)
      }
    }
    expect(await problemsAs(file)).toEqual([
      "The file can't be read (EACCES); give the console's user read access.",
    ])
    const closed = `The folder ${join(root, 'etc')} is closed to this process (EACCES), so its files are unknown; give the console's user access to it.`
    expect(await problemsAs(join(root, 'etc'))).toEqual([closed])
    await put('home/.config/openstack/clouds.yaml', CLOUD('mine'))
    expect(await problemsAs(join(root, 'work'))).toEqual([])
  })
})
