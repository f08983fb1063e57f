import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isMissingProgram } from './missing-program'

const NOBODY = 65_534
const { PATH } = process.env

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-path-'))
  chmodSync(folder, 0o755)
  mkdirSync(path.join(folder, 'closed'), { mode: 0o000 })
  mkdirSync(path.join(folder, 'open'))
  process.env.PATH = `${path.join(folder, 'closed')}:${path.join(folder, 'open')}`
  // Nothing is closed to root.
  if (process.getuid?.() === 0) process.seteuid?.(NOBODY)
})
afterEach(() => {
  if (process.getuid?.() === 0) process.seteuid?.(0)
  process.env.PATH = PATH
  rmSync(folder, { recursive: true, force: true })
})

const start = (program: string): Promise<unknown> =>
  new Promise((resolve) => {
    execFile(program, [], (error) => resolve(error?.code))
  })

test('a program that no folder of PATH has is missing, also where one of them may not be searched', async () => {
  const code = await start('sliceboard-no-such-program')
  expect(code).toBe('EACCES')
  expect(isMissingProgram('sliceboard-no-such-program', code)).toBe(true)
  expect(isMissingProgram('sliceboard-no-such-program', 'ENOENT')).toBe(true)
})

test('one that is there and may not be run is not missing', async () => {
  if (process.getuid?.() === 0) process.seteuid?.(0)
  writeFileSync(path.join(folder, 'open', 'virsh'), '#!/bin/sh\n', { mode: 0o644 })
  if (process.getuid?.() === 0) process.seteuid?.(NOBODY)
  const code = await start('virsh')
  expect(code).toBe('EACCES')
  expect(isMissingProgram('virsh', code)).toBe(false)
  expect(isMissingProgram('virsh', 1)).toBe(false)
})
