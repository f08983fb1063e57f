import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PROGRAM = 'systemd-analyze'

/** Where it is not installed units can't be judged. */
export const canVerifyUnits = spawnSync(PROGRAM, ['--version']).status === 0

/** The output of `systemd-analyze verify` for a unit; the programs that it starts need not exist. */
export const verifyUnit = (name: string, text: string): { messages: string[]; status: number | null } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-unit-'))
  try {
    const file = path.join(folder, `${name}.service`)
    writeFileSync(file, text.replaceAll(/^(ExecStart=-?)\/\S+/gm, '$1/bin/true'))
    const { stderr, status } = spawnSync(PROGRAM, ['verify', '--man=no', file], { encoding: 'utf8' })
    return { messages: stderr.split('\n').filter((line) => line.includes(name)), status }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
