import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from './make-directory'

test('directories that are made side by side share the parents that none of them found', async () => {
  const top = mkdtempSync(path.join(tmpdir(), 'sliceboard-directories-'))
  try {
    for (let round = 0; round < 40; round++) {
      const wanted = Array.from({ length: 16 }, (_, each) => path.join(top, `${round}`, 'agents', `${each}`))
      await Promise.all(wanted.map(makeDirectory))
      expect(wanted.filter((directory) => !existsSync(directory))).toEqual([])
    }
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
})

test('a file system that refuses is told of, not asked for ever', async () => {
  await expect(makeDirectory('/proc/sliceboard/agents')).rejects.toThrow(/ENOENT/)
})
