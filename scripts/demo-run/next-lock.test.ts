import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuseSecondNext } from './next-lock'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'sliceboard-next-lock-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const lock = (content: string) => {
  mkdirSync(path.join(root, '.next/dev'), { recursive: true })
  writeFileSync(path.join(root, '.next/dev/lock'), content)
}
const heldBy = (pid: number) => lock(JSON.stringify({ pid, port: 3000, appUrl: 'http://localhost:3000' }))

test('a second one fails at once with the address of the first one', () => {
  heldBy(process.pid)
  expect(() => refuseSecondNext(root)).toThrow(
    `"npm run dev" runs in this checkout already, as process ${process.pid} at http://localhost:3000: use that one, or stop it first.`,
  )
})

test('a lock of a process that is gone, of another form, or none at all does not stop a start', () => {
  refuseSecondNext(root)
  heldBy(2 ** 22 + 1)
  refuseSecondNext(root)
  lock('half')
  refuseSecondNext(root)
  lock('[]')
  refuseSecondNext(root)
})
