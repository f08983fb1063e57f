import { expect, test } from 'vitest'
import { type TreeContents, treeWith } from '@/agent/testing/tree'
import { collectNovaCompute, findNovaUnit } from './nova-process'

const CGROUP = '/sys/fs/cgroup'
const WANTS = '/etc/systemd/system/multi-user.target.wants'

const running = (group: string): TreeContents => ({
  [`${CGROUP}/${group}/cgroup.procs`]: '4242\n',
  '/proc/4242/cmdline': '/usr/bin/python3\0/usr/bin/nova-compute\0',
})
const enabled = (...names: string[]): TreeContents =>
  Object.fromEntries(names.map((name) => [`${WANTS}/${name}`, { link: `/lib/systemd/system/${name}` }]))
const unitOf = (contents: TreeContents) => findNovaUnit(treeWith(contents).files)

test.each([
  ['system.slice/nova-compute.service', 'nova-compute.service', null],
  ['system.slice/system-nova\\x2dcompute.slice/nova-compute@1.service', 'nova-compute@1.service', null],
  ['system.slice/openstack-nova-compute.service', 'openstack-nova-compute.service', null],
  ['system.slice/system-devstack.slice/devstack@n-cpu.service', 'devstack@n-cpu.service', null],
  ['system.slice/site-compute-gpu.service', 'site-compute-gpu.service', null],
  ['user.slice/user-1000.slice/user@1000.service/app.slice/n-cpu.service', 'n-cpu.service', 1000],
  [
    'user.slice/user-64055.slice/user@64055.service/app.slice/app-nova\\x2dcompute.slice/nova-compute@a.service',
    'nova-compute@a.service',
    64055,
  ],
])('the unit of a running nova-compute in %s', (group, name, userId) => {
  expect(unitOf(running(group))).toEqual({ name, userId })
})

test('a container of LXD and a unit of another program are not taken for it', () => {
  expect(unitOf(running('lxc.payload.juju-1/system.slice/nova-compute.service'))).toBeNull()
  expect(
    unitOf({ ...running('system.slice/nova-api.service'), '/proc/4242/cmdline': '/usr/bin/nova-api\0' }),
  ).toBeNull()
})

test('the unit that is enabled is taken while nova-compute does not run', () => {
  expect(unitOf(enabled('openstack-nova-compute.service', 'nova-api.service', 'cron.service'))).toEqual({
    name: 'openstack-nova-compute.service',
    userId: null,
  })
  expect(unitOf(enabled('kolla-nova_compute-container.service'))?.name).toBe(
    'kolla-nova_compute-container.service',
  )
  expect(unitOf(enabled('nova-compute@1.service', 'nova-compute@2.service'))).toBeNull()
})

test('a running unit wins over an enabled one', () => {
  const contents = { ...enabled('nova-compute.service'), ...running('system.slice/nova-compute@2.service') }
  expect(unitOf(contents)?.name).toBe('nova-compute@2.service')
})

test('a nova-compute of a user is found with its start', () => {
  const { files } = treeWith({
    ...running('user.slice/user-1000.slice/user@1000.service/app.slice/n-cpu.service'),
    '/proc/stat': 'btime 1795000000\n',
    '/proc/4242/stat': `4242 (nova-compute) S ${Array.from({ length: 18 }, () => '0').join(' ')} 100 0`,
  })
  expect(collectNovaCompute(files, { mayBeContained: false, memory: { pid: null } })?.startedAt).toBe(
    new Date(1_795_000_001_000).toISOString(),
  )
})
