import * as nodeFs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { codesOf, treeWith, writeContents } from '@/agent/testing/tree'
import type { FileSystem } from './file-system'

describe('staying below the root', () => {
  test('an absolute link target starts at the root again', () => {
    const { files, problems } = treeWith({
      '/usr/lib/os-release': 'inside',
      '/etc/os-release': { link: '/usr/lib/os-release' },
      '/var/config': { link: '/usr/lib' },
    })
    expect(files.text('/etc/os-release')).toBe('inside')
    expect(files.text('/var/config/os-release')).toBe('inside')
    expect(files.names('/var/config')).toEqual(['os-release'])
    expect(problems.list()).toEqual([])
  })

  test('a link above the root is refused, and nothing of this machine is read', () => {
    const { root, files, problems } = treeWith({
      '/etc/nova/nova.conf': { link: '../../../../../../../../../../etc/passwd' },
      '/etc/libvirt/qemu': { link: '../../..' },
      '/inner/link': { link: '../../outside' },
    })
    writeContents(path.dirname(root), {})
    expect(files.text('/etc/nova/nova.conf')).toBeNull()
    expect(files.names('/etc/libvirt/qemu')).toBeNull()
    expect(files.exists('/inner/link')).toBe(false)
    expect(codesOf(problems)).toEqual([
      ['/etc/libvirt/qemu', 'refused'],
      ['/etc/nova/nova.conf', 'refused'],
    ])
    expect(problems.list()[1]?.message).toBe(
      '/etc/nova/nova.conf is a link that leaves the tree given by --root; the agent does not follow it.',
    )
  })

  test('a path with dots does not leave the root', () => {
    const { root, files } = treeWith({ '/etc/hostname': 'gpu01' })
    expect(files.text(`/../${path.basename(root)}/etc/hostname`)).toBeNull()
    expect(files.text('/etc/../etc/hostname')).toBe('gpu01')
  })

  test('links through linked folders are followed one by one', () => {
    const { files } = treeWith({
      '/sys/devices/pci0000:40/0000:41:00.4/uuid-1/name': 'one',
      '/sys/bus/mdev/devices/uuid-1': { link: '../../../devices/pci0000:40/0000:41:00.4/uuid-1' },
    })
    expect(files.realPath('/sys/bus/mdev/devices/uuid-1')).toBe('/sys/devices/pci0000:40/0000:41:00.4/uuid-1')
    expect(files.attribute('/sys/bus/mdev/devices/uuid-1/name')).toBe('one')
    expect(files.linkName('/sys/bus/mdev/devices/uuid-1')).toBe('uuid-1')
  })
})

describe('what goes wrong becomes a problem', () => {
  test('absence is a fact unless the path was expected', () => {
    const { files, problems } = treeWith({ '/etc/hostname': 'gpu01' })
    expect(files.text('/etc/nova/nova.conf')).toBeNull()
    expect(files.names('/etc/hostname')).toBeNull()
    expect(problems.list()).toEqual([])
    expect(files.attribute('/sys/absent', { isExpected: true })).toBeNull()
    expect(problems.list()).toEqual([
      {
        source: '/sys/absent',
        code: 'vanished',
        message: '/sys/absent should be there but is not, or no longer; the next scan looks again.',
      },
    ])
  })

  test('a file that vanishes between listing and reading', () => {
    const removing: FileSystem = {
      ...nodeFs,
      readdirSync: ((at: string, options: never) => {
        const names = nodeFs.readdirSync(at, options)
        nodeFs.rmSync(path.join(at, 'b.xml'))
        return names
      }) as typeof nodeFs.readdirSync,
    }
    const { files, problems } = treeWith(
      { '/run/a.xml': 'a', '/run/b.xml': 'b', '/run/c.xml': 'c' },
      removing,
    )
    const names = files.names('/run') ?? []
    expect(names).toEqual(['a.xml', 'b.xml', 'c.xml'])
    const texts = names.map((name) => files.text(`/run/${name}`, { isExpected: true }))
    expect(texts).toEqual(['a', null, 'c'])
    expect(codesOf(problems)).toEqual([['/run/b.xml', 'vanished']])
  })

  test('dangling and circular links name the link, not the path through it', () => {
    const { files, problems } = treeWith({
      '/sys/devices/here': '',
      '/sys/bus/gone': { link: '../devices/gone' },
      '/sys/bus/a': { link: 'b' },
      '/sys/bus/b': { link: 'a' },
    })
    expect(files.attribute('/sys/bus/gone/class', { isExpected: true })).toBeNull()
    expect(files.text('/sys/bus/a')).toBeNull()
    expect(problems.list()).toEqual([
      { source: '/sys/bus/a', code: 'dangling', message: '/sys/bus/a is a link that leads back to itself.' },
      {
        source: '/sys/bus/gone',
        code: 'dangling',
        message: '/sys/bus/gone is a link to ../devices/gone, which is not there.',
      },
    ])
  })

  test('a file beyond the limit is left out, one at the limit is read', () => {
    const { files, problems } = treeWith({ '/a': 'x'.repeat(100_001), '/b': 'x'.repeat(100_000) })
    expect(files.text('/a', { limitBytes: 100_000 })).toBeNull()
    expect(files.text('/b', { limitBytes: 100_000 })).toHaveLength(100_000)
    expect(codesOf(problems)).toEqual([['/a', 'too-large']])
  })

  test('a folder in the place of a file', () => {
    const { files, problems } = treeWith({ '/etc/nova/nova.conf/x': '' })
    expect(files.text('/etc/nova/nova.conf')).toBeNull()
    expect(problems.list()).toEqual([
      {
        source: '/etc/nova/nova.conf',
        code: 'io',
        message: '/etc/nova/nova.conf could not be read (EISDIR).',
      },
    ])
  })

  test('names that are no plain text are left out', () => {
    const { root, files, problems } = treeWith({ '/etc/x/good.conf': '', '/etc/x/line\nbreak.conf': '' })
    nodeFs.writeFileSync(Buffer.concat([Buffer.from(`${root}/etc/x/`), Buffer.from([0xff, 0xfe])]), '')
    nodeFs.writeFileSync(`${root}/etc/x/turned\u202e.conf`, '')
    expect(files.names('/etc/x')).toEqual(['good.conf'])
    expect(problems.list().map(({ code }) => code)).toEqual(['odd-name', 'odd-name', 'odd-name'])
    expect(problems.list().map(({ message }) => message)).toContain(
      '/etc/x holds "line\ufffdbreak.conf", a name that is not plain text; it was left out.',
    )
  })
})

describe('text', () => {
  test('control characters and bytes that are no UTF-8 are replaced, tabs and line feeds stay', () => {
    const { files } = treeWith({ '/a': Buffer.from([0x61, 0x00, 0x1b, 0x09, 0x0a, 0xff, 0x7f, 0xc3, 0xa9]) })
    expect(files.text('/a')).toBe('a\ufffd\ufffd\t\n\ufffd\ufffdé')
  })

  test('an attribute is trimmed and at most a page is read', () => {
    const { files } = treeWith({ '/a': ' 16\n', '/b': 'x'.repeat(5000) })
    expect(files.attribute('/a')).toBe('16')
    expect(files.attribute('/b')).toHaveLength(4096)
  })

  test('a pipe does not make the agent wait', async () => {
    const { root, files } = treeWith({ '/run/x': '' })
    const { execFileSync } = await import('node:child_process')
    execFileSync('mkfifo', [`${root}/run/pipe`])
    expect(files.text('/run/pipe')).toBe('')
  })
})

test('the stamp changes with the content', () => {
  const { root, files } = treeWith({ '/a': 'one' })
  const before = files.stamp('/a')
  expect(files.stamp('/a')).toBe(before)
  nodeFs.writeFileSync(`${root}/a`, 'other')
  expect(files.stamp('/a')).not.toBe(before)
  expect(files.stamp('/absent')).toBeNull()
})
