import { describe, expect, it } from 'vitest'
import { testCloudConfig } from '../testing/cloud-config'
import type { CloudConfig } from './cloud-config'
import { joinEntries } from './join-entries'

type Input = { name: string; url?: string; user?: string; project?: string | null; region?: string | null }

const entry = ({ name, url = 'https://a:5000', user = 'admin', project = 'admin', ...rest }: Input) => {
  const account = { name: user, password: 'secret', domain: 'Default', project: project ?? '' }
  const config: CloudConfig = { ...testCloudConfig({ name, authUrl: url, account }), ...rest }
  if (project !== null || config.auth.kind !== 'password') return config
  return { ...config, auth: { ...config.auth, project: null, isSystemScoped: true } }
}
const namesOf = (inputs: readonly Input[]) => joinEntries(inputs.map(entry)).clouds.map(({ name }) => name)

describe('joinEntries', () => {
  // kolla-ansible: ansible/templates/clouds.yaml.j2
  it("shows Kolla's four entries of one cloud as one", () => {
    const inside = 'http://10.0.0.10:5000'
    const { clouds, notices } = joinEntries(
      [
        { name: 'kolla-admin' },
        { name: 'kolla-admin-system', project: null },
        { name: 'kolla-admin-internal', url: inside },
        { name: 'kolla-admin-system-internal', url: inside, project: null },
      ].map(entry),
    )
    expect(clouds.map(({ name }) => name)).toEqual(['kolla-admin'])
    expect(notices).toEqual([
      'The entries kolla-admin (RegionOne), kolla-admin-system (RegionOne), kolla-admin-internal (RegionOne), kolla-admin-system-internal (RegionOne) of clouds.yaml are one cloud and are shown as kolla-admin. To use another entry, set OS_CLOUD to its name.',
    ])
  })

  // devstack: tools/update_clouds_yaml.py, lib/keystone
  it("chooses the admin of DevStack's entries, and an account of the console's own before it", () => {
    const devstack = [
      { name: 'devstack', user: 'demo', project: 'demo' },
      { name: 'devstack-admin-demo', project: 'demo' },
      { name: 'devstack-admin' },
      { name: 'devstack-system-admin', project: null },
    ]
    expect(namesOf(devstack)).toEqual(['devstack-admin'])
    expect(namesOf([...devstack, { name: 'gpu', user: 'sliceboard', project: 'service' }])).toEqual(['gpu'])
  })

  it('keeps regions, other Keystones and unrelated names apart', () => {
    expect(namesOf([{ name: 'a' }, { name: 'b', region: 'RegionTwo' }])).toEqual(['a', 'b'])
    const two = [{ name: 'paris' }, { name: 'rome', url: 'https://b:5000' }]
    expect(namesOf(two)).toEqual(['paris', 'rome'])
    expect(joinEntries(two.map(entry)).notices).toEqual([
      expect.stringContaining('The entries paris, rome of clouds.yaml have the same account and region'),
    ])
  })

  it('joins an entry without a region where the Keystone has one region, and not where it has two', () => {
    expect(namesOf([{ name: 'a' }, { name: 'b', region: null }])).toEqual(['a'])
    const three = [{ name: 'a' }, { name: 'b', region: 'RegionTwo' }, { name: 'c', region: null }]
    expect(namesOf(three)).toEqual(['a', 'b', 'c'])
  })

  it('warns about an entry that names only the system', () => {
    const { clouds, notices } = joinEntries([entry({ name: 'alone', project: null })])
    expect(clouds).toHaveLength(1)
    expect(notices).toEqual([expect.stringContaining('"alone" has system_scope and no project')])
  })
})
