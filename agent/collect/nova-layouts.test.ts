import { describe, expect, test } from 'vitest'
import { treeWith } from '@/agent/testing/tree'
import { collectNovaConfig } from './nova-config'
import { collectNovaCompute } from './nova-process'

const STAT = `4242 (nova-compute) S ${Array.from({ length: 18 }, () => '0').join(' ')} 100 0`

const running = (cgroup: string, words: string[]) => ({
  [`${cgroup}/cgroup.procs`]: '4242\n',
  '/proc/4242/cmdline': `${words.join('\0')}\0`,
  '/proc/4242/stat': STAT,
  '/proc/stat': 'btime 1700000000\n',
})

describe('nova-compute is found in any slice', () => {
  test.each([
    // os_nova of OpenStack-Ansible sets systemd_slice_name: nova
    ['/sys/fs/cgroup/nova.slice/nova-compute.service'],
    ['/sys/fs/cgroup/systemd/nova.slice/nova-compute.service'],
    ['/sys/fs/cgroup/system.slice/openstack-nova-compute.service'],
    ['/sys/fs/cgroup/system.slice/system-devstack.slice/devstack@n-cpu.service'],
    ['/sys/fs/cgroup/machine.slice/cloud.slice/nova-compute.service'],
  ])('%s', (cgroup) => {
    const { files } = treeWith(running(cgroup, ['python3', '/openstack/venvs/nova/bin/nova-compute']))
    expect(collectNovaCompute(files, { mayBeContained: false, memory: { pid: null } })).not.toBeNull()
  })
})

test.each([['/etc/nova/nova.conf.d/'], ['/etc/nova//nova.conf.d'], ['/etc/nova/./nova.conf.d//']])(
  'a config dir with another spelling is the same folder: %s',
  (folder) => {
    const words = ['nova-compute', '--config-file', '/etc/nova/nova.conf', '--config-dir', folder]
    const { files, problems } = treeWith({
      ...running('/sys/fs/cgroup/system.slice/nova-compute.service', words),
      '/etc/nova/nova.conf': '[DEFAULT]\nhost = a\n',
      '/etc/nova/nova.conf.d/50-vgpu.conf': '[devices]\nenabled_mdev_types = nvidia-105\n',
    })
    const config = collectNovaConfig({ files, problems, dropInFolder: '/etc/nova/nova.conf.d' })
    expect(config?.files).toEqual(['/etc/nova/nova.conf', '/etc/nova/nova.conf.d/50-vgpu.conf'])
    expect(config?.dropIn?.place).not.toBeNull()
  },
)

test.each([['\r\n'], ['\r']])('line ends of other systems are those of Python (%j)', (end) => {
  const text = ['[devices]', 'enabled_mdev_types = nvidia-231,', '  nvidia-222', ''].join(end)
  const { files, problems } = treeWith({ '/etc/nova/nova.conf': text })
  const config = collectNovaConfig({ files, problems })
  expect(config?.options.map(({ name, value, line }) => [name, value, line])).toEqual([
    ['enabled_mdev_types', 'nvidia-231,\nnvidia-222', 2],
  ])
  expect(problems.list()).toEqual([])
})
