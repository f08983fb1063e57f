import { stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { makeDirectory } from './make-directory'

it('creates parent folders once, for many callers at the same time', async () => {
  const folder = path.join(makeTemporaryDirectory('make-directory-'), 'agents')
  const names = Array.from({ length: 32 }, (_, index) => path.join(folder, 'state', `host-${index}`))
  await Promise.all(names.map(makeDirectory))
  for (const name of names) expect((await stat(name)).isDirectory()).toBe(true)
})

it('reports a file system that refuses, instead of retrying endlessly', async () => {
  await expect(makeDirectory('/proc/sliceboard/agents')).rejects.toThrow(/ENOENT/)
})
