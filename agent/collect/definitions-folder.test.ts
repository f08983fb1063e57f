import { expect, test } from 'vitest'
import { type TreeContents, treeWith } from '@/agent/testing/tree'
import { findDefinitionsFolder } from './definitions-folder'

const HOST = '25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw'
const LAYER = '/var/lib/docker/overlay2/abc'
const overlay = (point: string, upper = `${LAYER}/diff`) =>
  `612 25 0:57 / ${point} rw - overlay overlay rw,lowerdir=l/A:l/B,upperdir=${upper},workdir=${LAYER}/work`

/** libvirtd as process 7 with these mounts, and the host's. */
const withDaemon = (own: string[], host: string[] = [HOST], comm = 'libvirtd'): TreeContents => ({
  '/run/libvirtd.pid': '7\n',
  '/proc/7/comm': `${comm}\n`,
  '/proc/7/mountinfo': `${own.join('\n')}\n`,
  '/proc/1/mountinfo': `${host.join('\n')}\n`,
})

const find = (contents: TreeContents, deployment: 'kolla' | 'package' | null = 'kolla') => {
  const { files, problems } = treeWith({ '/etc/hostname': 'x', ...contents })
  const folder = findDefinitionsFolder({ files, problems, deployment })
  return {
    folder,
    reported: problems.list().map(({ source, code, message }) => `${source} ${code} ${message}`),
  }
}

test('libvirt in the same file system: the host’s own folder', () => {
  const private_ = '90 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw'
  expect(find(withDaemon([private_]), 'package')).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
})

test('libvirt in a container: where the host sees its root whole, else where its writes go', () => {
  const seen = find(withDaemon([overlay('/')], [HOST, overlay(`${LAYER}/merged`)]))
  expect(seen).toEqual({ folder: `${LAYER}/merged/etc/mdevctl.d`, reported: [] })
  expect(find(withDaemon([overlay('/')]))).toEqual({ folder: `${LAYER}/diff/etc/mdevctl.d`, reported: [] })
})

test('a folder of the host that is mounted there counts, also on a separate file system', () => {
  const volume = '700 612 254:1 /var/lib/docker/volumes/m/_data /etc/mdevctl.d rw - ext4 /dev/vda1 rw'
  expect(find(withDaemon([overlay('/'), volume])).folder).toBe('/var/lib/docker/volumes/m/_data')
  const disk = '31 25 254:9 / /srv\\040data rw - ext4 /dev/vdb1 rw'
  const etc = '701 612 254:9 /libvirt/etc /etc rw - ext4 /dev/vdb1 rw'
  expect(find(withDaemon([overlay('/'), etc], [HOST, disk])).folder).toBe('/srv data/libvirt/etc/mdevctl.d')
})

test('what another mount covers on the host is not taken for what the container sees', () => {
  const cover = '40 25 254:9 / /etc rw - ext4 /dev/vdb1 rw'
  const etc = '701 612 254:1 /etc /etc rw - ext4 /dev/vda1 rw'
  expect(find(withDaemon([overlay('/'), etc], [HOST, cover])).folder).toBeNull()
})

test('a layer that is named from an unknown folder is unknown, with a problem', () => {
  const { folder, reported } = find(withDaemon([overlay('/', 'abc/diff')]))
  expect(folder).toBeNull()
  expect(reported).toEqual([
    "/etc/mdevctl.d incomplete libvirtd runs in a container whose /etc/mdevctl.d can't be read from here, so which mdevs are defined is unknown.",
  ])
})

test('Kolla whose libvirt does not run, or a stale pid file, is unknown, with a problem', () => {
  expect(find({}).folder).toBeNull()
  expect(find({}).reported[0]).toContain('no running libvirtd or virtnodedevd leads to it')
  expect(find(withDaemon([overlay('/')], [HOST], 'sshd')).folder).toBeNull()
  expect(find({ '/run/libvirtd.pid': '7' }).folder).toBeNull()
})

test('packages without a daemon that runs, and trees without /proc, read the host’s own', () => {
  expect(find({}, 'package')).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
  expect(find({}, null)).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
  const withoutMounts = { '/run/libvirtd.pid': '7', '/proc/7/comm': 'libvirtd\n' }
  expect(find(withoutMounts, 'package')).toEqual({ folder: '/etc/mdevctl.d', reported: [] })
})

test('virtnodedevd is preferred to libvirtd', () => {
  const modular = {
    ...withDaemon([HOST]),
    '/run/virtnodedevd.pid': '9',
    '/proc/9/comm': 'virtnodedevd\n',
    '/proc/9/mountinfo': overlay('/'),
  }
  expect(find(modular).folder).toBe(`${LAYER}/diff/etc/mdevctl.d`)
})
