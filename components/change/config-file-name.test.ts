import { expect, test } from 'vitest'
import { fileNameOf } from './config-file-name'

test('a text that goes to one file keeps its name', () => {
  const path = '/etc/nova/nova.conf.d/99-sliceboard-mdev.conf'
  expect(fileNameOf({ path, title: 'Drop-in of cmp-1', language: 'ini' })).toBe('99-sliceboard-mdev.conf')
})

test('a text for several files or an object is named after its title', () => {
  const path = '/etc/openstack_deploy/host_vars/a.yml\n/etc/openstack_deploy/host_vars/b.yml'
  expect(fileNameOf({ path, title: 'Variables of a and b', language: 'yaml' })).toBe(
    'variables-of-a-and-b.yaml',
  )
  const object = 'spec:nodes of the OpenStackDeployment'
  expect(fileNameOf({ path: object, title: 'Node overrides for cmp-1', language: 'yaml' })).toBe(
    'node-overrides-for-cmp-1.yaml',
  )
})
