import { expect, test } from 'vitest'
import { scanTree } from '@/agent/testing/scan-fixture'
import { type TreeContents, treeWith } from '@/agent/testing/tree'

const HOST: TreeContents = {
  '/proc/sys/kernel/hostname': 'cmp-01\n',
  '/sys/bus/pci/devices': { folder: 0o755 },
  '/etc/nova/nova.conf': '[devices]\nenabled_mdev_types = nvidia-222\n',
}

const found = async (contents: TreeContents) => {
  const { root } = treeWith({ ...HOST, ...contents })
  return (await scanTree(root)).novaConfig?.providerConfig
}

test('every *.yaml of the folder is reported unchanged, in order', async () => {
  expect(
    await found({
      '/etc/nova/provider_config/b.yaml': 'b: 1\n',
      '/etc/nova/provider_config/a.yaml': 'a: 1\n',
      '/etc/nova/provider_config/a.yaml.bak': 'no\n',
      '/etc/nova/provider_config/.a.yaml': 'no\n',
    }),
  ).toEqual({
    folder: '/etc/nova/provider_config',
    files: [
      { name: 'a.yaml', text: 'a: 1\n' },
      { name: 'b.yaml', text: 'b: 1\n' },
    ],
  })
})

test('a folder that is not there has no files, and nova.conf names another', async () => {
  expect(await found({})).toEqual({ folder: '/etc/nova/provider_config', files: [] })
  expect(
    await found({
      '/etc/nova/nova.conf.d/10-compute.conf': '[compute]\nprovider_config_location = /srv/providers/\n',
      '/srv/providers/gpus.yaml': 'x: 1\n',
    }),
  ).toEqual({ folder: '/srv/providers', files: [{ name: 'gpus.yaml', text: 'x: 1\n' }] })
})

test('a folder in a container is not looked for on the host', async () => {
  expect(
    await found({
      '/etc/kolla/nova-compute/nova.conf': '[DEFAULT]\n',
      '/etc/nova/provider_config/a.yaml': 'a: 1\n',
    }),
  ).toBeUndefined()
})
