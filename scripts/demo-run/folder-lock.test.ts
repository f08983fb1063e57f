import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeFolder } from './folder-lock'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'folder-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('is refused while another process has it, and nothing in it is touched', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  try {
    writeFileSync(path.join(folder, 'demo.pid'), String(other.pid))
    writeFileSync(path.join(folder, 'kept'), '')
    expect(() => takeFolder(folder, { isFresh: true })).toThrow(`in use by the process ${other.pid}`)
    expect(existsSync(path.join(folder, 'kept'))).toBe(true)
  } finally {
    const ended = new Promise((resolve) => other.once('exit', resolve))
    other.kill('SIGKILL')
    await ended
  }
  // It left its mark, as after a crash.
  takeFolder(folder, { isFresh: false })
  expect(existsSync(path.join(folder, 'kept'))).toBe(true)
})

it('is emptied on request, and free again afterwards', () => {
  writeFileSync(path.join(folder, 'old'), '')
  const release = takeFolder(folder, { isFresh: true })
  expect(existsSync(path.join(folder, 'old'))).toBe(false)
  release()
  expect(existsSync(path.join(folder, 'demo.pid'))).toBe(false)
})
