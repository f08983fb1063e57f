import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { secondUnitText } from './second-service-texts'

const PROGRAM = 'systemd-analyze'
const isThere = spawnSync(PROGRAM, ['--version']).status === 0

test.skipIf(!isThere)(`the unit is taken by ${PROGRAM} verify (skipped where it is not installed)`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-unit-'))
  try {
    const file = path.join(folder, 'openstack-nova-gpu.service')
    // The program itself need not be there; all else is judged as it stands.
    writeFileSync(file, secondUnitText().replace('/usr/bin/nova-compute', '/bin/true'))
    const verified = spawnSync(PROGRAM, ['verify', '--man=no', file], { encoding: 'utf8' })
    const said = verified.stderr.split('\n').filter((line) => line.includes('openstack-nova-gpu'))
    expect(said).toEqual([])
    expect(verified.status).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
