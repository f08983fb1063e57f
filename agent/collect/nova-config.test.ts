import { describe, expect, test } from 'vitest'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import { collectNovaConfig } from './nova-config'

const collect = (contents: TreeContents, given?: string[]) => {
  const { files, problems } = treeWith(contents)
  return { config: collectNovaConfig({ files, problems, given }), problems }
}

const section = '[DEFAULT]\n'
const filesOf = (contents: TreeContents, given?: string[]) => {
  const { config } = collect(contents, given)
  return config && [config.deployment, ...config.files]
}

describe('the files, in the order in which oslo.config reads them', () => {
  const etcNova = {
    '/etc/nova/nova.conf': section,
    '/etc/nova/nova-compute.conf': section,
    '/etc/nova/nova-api.conf': section,
    '/etc/nova/nova.conf.d/20-b.conf': section,
    '/etc/nova/nova.conf.d/10-a.conf': section,
    '/etc/nova/nova.conf.d/.hidden.conf': section,
    '/etc/nova/nova.conf.d/30-c.conf.bak': section,
    '/etc/nova/nova-compute.conf.d/x.conf': section,
  }

  test('without options: nova.conf, nova-compute.conf, then the folders, sorted', () => {
    expect(filesOf(etcNova)).toEqual([
      'package',
      '/etc/nova/nova.conf',
      '/etc/nova/nova-compute.conf',
      '/etc/nova/nova.conf.d/10-a.conf',
      '/etc/nova/nova.conf.d/20-b.conf',
      '/etc/nova/nova-compute.conf.d/x.conf',
    ])
  })

  test("Debian's and Ubuntu's init script names the files, so the folders come first", () => {
    expect(filesOf({ ...etcNova, '/etc/init.d/nova-compute': '#!/bin/sh\n' })).toEqual([
      'package',
      '/etc/nova/nova.conf.d/10-a.conf',
      '/etc/nova/nova.conf.d/20-b.conf',
      '/etc/nova/nova-compute.conf.d/x.conf',
      '/etc/nova/nova.conf',
      '/etc/nova/nova-compute.conf',
    ])
  })

  const process = (...words: string[]) => ({
    '/sys/fs/cgroup/system.slice/nova-compute.service/cgroup.procs': '77\n78\n79\n',
    '/proc/77/cmdline': ['sudo', 'privsep-helper', '--config-file', '/etc/nova/wrong.conf', ''].join('\0'),
    '/proc/78/cmdline': ['/usr/bin/python3', '/usr/bin/nova-compute', ...words, ''].join('\0'),
  })

  test('the command line of the running nova-compute decides', () => {
    const words = [
      '--config-file=/etc/nova/nova.conf',
      '--config-file',
      '/etc/nova/nova-gpu.conf',
      '--log-file=/x',
    ]
    expect(filesOf({ ...etcNova, ...process(...words), '/etc/nova/nova-gpu.conf': section })).toEqual([
      'package',
      '/etc/nova/nova.conf.d/10-a.conf',
      '/etc/nova/nova.conf.d/20-b.conf',
      '/etc/nova/nova-compute.conf.d/x.conf',
      '/etc/nova/nova.conf',
      '/etc/nova/nova-gpu.conf',
    ])
    const folderFirst = ['--config-dir', '/etc/nova/nova.conf.d', '--config-file', '/etc/nova/nova.conf']
    expect(filesOf({ ...etcNova, ...process(...folderFirst) })).toEqual([
      'package',
      '/etc/nova/nova.conf.d/10-a.conf',
      '/etc/nova/nova.conf.d/20-b.conf',
      '/etc/nova/nova.conf',
    ])
    expect(filesOf({ ...etcNova, ...process('--config-dir=/etc/nova/nova.conf.d') })).toEqual([
      'package',
      '/etc/nova/nova.conf',
      '/etc/nova/nova-compute.conf',
      '/etc/nova/nova.conf.d/10-a.conf',
      '/etc/nova/nova.conf.d/20-b.conf',
    ])
  })

  test('a running nova-compute without options overrides the look of the machine', () => {
    expect(filesOf({ ...etcNova, ...process(), '/etc/init.d/nova-compute': '' })?.slice(0, 3)).toEqual([
      'package',
      '/etc/nova/nova.conf',
      '/etc/nova/nova-compute.conf',
    ])
  })
})

describe('the places of the deployments', () => {
  const leftover = { '/etc/nova/nova.conf': section }
  const pod = '/var/lib/kubelet/pods/6f1d2c3e-8a4b-4c5d-9e6f-7a8b9c0d1e2f'
  const apiPod = '/var/lib/kubelet/pods/0a1d2c3e-8a4b-4c5d-9e6f-7a8b9c0d1e2f'

  test.each<[string, TreeContents, string[]]>([
    ['kolla', { '/etc/kolla/nova-compute/nova.conf': section }, ['/etc/kolla/nova-compute/nova.conf']],
    [
      'tripleo',
      {
        '/var/lib/config-data/puppet-generated/nova_libvirt/etc/nova/nova.conf': section,
        '/var/lib/config-data/puppet-generated/nova_libvirt/etc/nova/nova-compute.conf': section,
      },
      [
        '/var/lib/config-data/puppet-generated/nova_libvirt/etc/nova/nova.conf',
        '/var/lib/config-data/puppet-generated/nova_libvirt/etc/nova/nova-compute.conf',
      ],
    ],
    [
      'rhoso',
      {
        '/var/lib/openstack/nova/01-nova.conf': section,
        '/var/lib/openstack/nova/02-nova-host-specific.conf': section,
        '/var/lib/openstack/nova/25-nova-extra.conf': section,
        '/var/lib/openstack/nova/ssh-config': '',
        '/var/lib/openstack/nova/nova-blank.conf': '',
      },
      [
        '/var/lib/openstack/nova/01-nova.conf',
        '/var/lib/openstack/nova/02-nova-host-specific.conf',
        '/var/lib/openstack/nova/25-nova-extra.conf',
        '/var/lib/openstack/nova/nova-blank.conf',
      ],
    ],
    [
      'snap',
      {
        '/var/snap/openstack-hypervisor/common/etc/nova/nova.conf.d/10-gpu.conf': section,
        '/var/snap/openstack-hypervisor/common/etc/nova/nova.conf': section,
      },
      [
        '/var/snap/openstack-hypervisor/common/etc/nova/nova.conf',
        '/var/snap/openstack-hypervisor/common/etc/nova/nova.conf.d/10-gpu.conf',
      ],
    ],
    [
      'openstack-helm',
      {
        [`${apiPod}/volumes/kubernetes.io~secret/nova-etc/nova-compute.conf`]: section,
        [`${pod}/containers/nova-compute/log`]: '',
        [`${pod}/volumes/kubernetes.io~secret/nova-etc/..data`]: { link: '..2026_11_21' },
        [`${pod}/volumes/kubernetes.io~secret/nova-etc/..2026_11_21/nova-compute.conf`]: section,
        [`${pod}/volumes/kubernetes.io~secret/nova-etc/nova-compute.conf`]: {
          link: '..data/nova-compute.conf',
        },
        [`${pod}/volumes/kubernetes.io~secret/nova-etc/nova.conf`]: section,
        [`${pod}/volumes/kubernetes.io~empty-dir/pod-shared/nova-hypervisor.conf`]: section,
        [`${pod}/volumes/kubernetes.io~empty-dir/pod-shared/nova-libvirt.conf`]: section,
        [`${pod}/volumes/kubernetes.io~secret/nova-etc-snippets/50-gpu.conf`]: section,
      },
      [
        `${pod}/volumes/kubernetes.io~secret/nova-etc/nova-compute.conf`,
        `${pod}/volumes/kubernetes.io~empty-dir/pod-shared/nova-libvirt.conf`,
        `${pod}/volumes/kubernetes.io~empty-dir/pod-shared/nova-hypervisor.conf`,
        `${pod}/volumes/kubernetes.io~secret/nova-etc-snippets/50-gpu.conf`,
      ],
    ],
  ])('%s wins over a left-over /etc/nova', (deployment, contents, files) => {
    expect(filesOf({ ...leftover, ...contents })).toEqual([deployment, ...files])
  })

  test('files that were given are taken as they are, folders like a config dir', () => {
    const contents = {
      ...leftover,
      '/srv/a.conf': section,
      '/srv/d/2.conf': section,
      '/srv/d/1.conf': section,
    }
    expect(filesOf(contents, ['/srv/a.conf', '/srv/d'])).toEqual([
      'given',
      '/srv/a.conf',
      '/srv/d/1.conf',
      '/srv/d/2.conf',
    ])
    expect(filesOf(contents, ['/srv//d/../a.conf', '/srv//d/'])).toEqual([
      'given',
      '/srv/a.conf',
      '/srv/d/1.conf',
      '/srv/d/2.conf',
    ])
    const { config, problems } = collect({}, ['/srv/typo.conf'])
    expect(config).toBeNull()
    expect(codesOf(problems)).toEqual([['/srv/typo.conf', 'vanished']])
  })

  test('no nova.conf at all is null and a problem', () => {
    const { config, problems } = collect({ '/etc/hostname': 'x' })
    expect(config).toBeNull()
    expect(problems.list()).toEqual([
      {
        source: 'nova.conf',
        code: 'incomplete',
        message: 'No nova.conf of a known deployment was found; name its files with --nova-config.',
      },
    ])
  })
})

describe('the options', () => {
  test('keep order, file and line; credentials stay', () => {
    const { config, problems } = collect({
      '/etc/nova/nova.conf': [
        '[DEFAULT]',
        'transport_url = rabbit://openstack:hunter2@10.0.0.1:5672//',
        'host = gpu01',
        '[keystone_authtoken]',
        'password = hunter2',
        'host = hunter2',
        '[database]',
        'connection = mysql+pymysql://nova:hunter2@db/nova',
        '[devices]',
        'enabled_mdev_types = nvidia-35,',
        '  nvidia-36',
        '[libvirt]',
        'live_migration_uri = qemu+ssh://nova:hunter2@%s/system',
        'live_migration_downtime = 500000',
      ].join('\n'),
      '/etc/nova/nova.conf.d/9.conf': '[devices]\nenabled_mdev_types = nvidia-37\n',
    })
    const main = '/etc/nova/nova.conf'
    expect(config?.options).toEqual([
      { section: 'DEFAULT', name: 'host', value: 'gpu01', file: main, line: 3 },
      {
        section: 'devices',
        name: 'enabled_mdev_types',
        value: 'nvidia-35,\nnvidia-36',
        file: main,
        line: 10,
      },
      { section: 'libvirt', name: 'live_migration_downtime', value: '500000', file: main, line: 14 },
      {
        section: 'devices',
        name: 'enabled_mdev_types',
        value: 'nvidia-37',
        file: '/etc/nova/nova.conf.d/9.conf',
        line: 2,
      },
    ])
    expect(problems.list()).toEqual([])
    expect(JSON.stringify(config)).not.toContain('hunter2')
  })

  test('options that were indented by mistake do not leave inside the value above them', () => {
    const { config, problems } = collect({
      '/etc/nova/nova.conf': [
        '[DEFAULT]',
        'host = gpu01',
        '  transport_url = rabbit://openstack:hunter2@10.0.0.1:5672//',
        '[devices]',
        'enabled_mdev_types = nvidia-35',
        '   password: hunter2',
        '[mdev_nvidia-35]',
        'device_addresses = 0000:84:00.0,',
        '    e3f1:00:00.0',
        '[pci]',
        'alias = { "name": "a",',
        '  "device_type": "type-VF" }',
        'device_spec = {}',
        '   rabbit://openstack:hunter2@10.0.0.1',
      ].join('\n'),
    })
    expect(config?.options.map(({ value }) => value)).toEqual([
      'gpu01',
      'nvidia-35',
      '0000:84:00.0,\ne3f1:00:00.0',
      '{ "name": "a",\n"device_type": "type-VF" }',
      '{}',
    ])
    expect(codesOf(problems)).toEqual([
      ['/etc/nova/nova.conf:13', 'malformed'],
      ['/etc/nova/nova.conf:2', 'malformed'],
      ['/etc/nova/nova.conf:5', 'malformed'],
    ])
    expect(JSON.stringify([config, problems.list()])).not.toContain('hunter2')
  })

  test('control characters around a value are removed as Python does, others are replaced', () => {
    const { config } = collect({
      '/etc/nova/nova.conf':
        '[libvirt]\u001f\nvirt_type\u0085=\u001fkvm\u001c\nlive_migration_x = a\u0001b\n',
    })
    expect(config?.options.map(({ section, name, value }) => [section, name, value])).toEqual([
      ['libvirt', 'virt_type', 'kvm'],
      ['libvirt', 'live_migration_x', 'a\ufffdb'],
    ])
  })

  test('what nova-compute would not start with is a problem with its line', () => {
    const { config, problems } = collect({
      '/etc/nova/nova.conf': 'debug = true\n[devices]\nenabled_mdev_types = a\n',
    })
    expect(config?.options).toHaveLength(1)
    expect(problems.list()).toEqual([
      {
        source: '/etc/nova/nova.conf:1',
        code: 'malformed',
        message:
          '/etc/nova/nova.conf line 1: an option precedes the first [section]; nova-compute does not start with this file.',
      },
    ])
  })

  test('a value beyond the limit of the contract is cut', () => {
    const { config, problems } = collect({
      '/etc/nova/nova.conf': `[devices]\nenabled_mdev_types = ${'x'.repeat(20_000)}`,
    })
    expect(config?.options[0]?.value).toHaveLength(16_384)
    expect(codesOf(problems)).toEqual([['/etc/nova/nova.conf:2', 'too-large']])
  })
})
