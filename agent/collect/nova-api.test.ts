import { expect, test } from 'vitest'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import { collectNovaApi } from './nova-api'

const collect = (contents: TreeContents) => {
  const { files, problems } = treeWith(contents)
  return { api: collectNovaApi({ files, problems }), problems }
}

const CONF = `[DEFAULT]
transport_url = rabbit://nova:hunter2@10.0.0.1//
[pci]
alias = {"name": "gpu", "vendor_id": "10de", "product_id": "1024"}
device_spec = {"vendor_id": "10de"}
[quota]
driver = nova.quota.UnifiedLimitsDriver
instances = 10
[oslo_limit]
username = nova
password = hunter2
endpoint_id = e1
[filter_scheduler]
pci_in_placement = True
host_subset_size = 3
[database]
connection = mysql://nova:hunter2@db/nova
`

test.each([
  ['kolla', '/etc/kolla/nova-api/nova.conf', {}],
  ['tripleo', '/var/lib/config-data/puppet-generated/nova/etc/nova/nova.conf', {}],
  ['package', '/etc/nova/nova.conf', { '/usr/lib/systemd/system/nova-api.service': '[Service]\n' }],
  [
    'openstack-helm',
    '/var/lib/kubelet/pods/p1/volumes/kubernetes.io~secret/nova-etc/nova.conf',
    { '/var/lib/kubelet/pods/p1/containers/nova-osapi/0': '' },
  ],
])('%s: only the alias and the options about limits leave the host', (deployment, path, signs) => {
  const { api, problems } = collect({ [path]: CONF, ...signs })
  expect(api).toEqual({
    deployment,
    files: [path],
    options: [
      {
        section: 'pci',
        name: 'alias',
        value: '{"name": "gpu", "vendor_id": "10de", "product_id": "1024"}',
        file: path,
        line: 4,
      },
      { section: 'quota', name: 'driver', value: 'nova.quota.UnifiedLimitsDriver', file: path, line: 7 },
      { section: 'oslo_limit', name: 'username', value: 'nova', file: path, line: 10 },
      { section: 'oslo_limit', name: 'endpoint_id', value: 'e1', file: path, line: 12 },
      { section: 'filter_scheduler', name: 'pci_in_placement', value: 'True', file: path, line: 14 },
    ],
  })
  expect(JSON.stringify(api)).not.toContain('hunter2')
  expect(codesOf(problems)).toEqual([])
})

test('a compute host with packages runs no API', () => {
  expect(collect({ '/etc/nova/nova.conf': CONF }).api).toBeNull()
})

test('a file that can not be read is a problem, not an API without aliases', () => {
  const { api, problems } = collect({ '/etc/kolla/nova-api/nova.conf': { folder: 0o755 } })
  expect(api).toBeNull()
  expect(codesOf(problems)).toHaveLength(1)
})
