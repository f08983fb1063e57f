import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryRoot } from './scan-fixture'

/** Shell commands that print `text`. */
export const printText = (text: string): string => `cat <<'LOG'\n${text}\nLOG`

/** Puts a shell script into PATH until the test is over, since exit statuses are no part of a capture. */
export const installProgram = (name: string, script: string): void => {
  const { PATH } = process.env
  const folder = temporaryRoot()
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(folder, name), 0o755)
  process.env.PATH = `${folder}:${PATH}`
  onTestFinished(() => {
    process.env.PATH = PATH
  })
}
