import { describe, expect, it } from 'vitest'
import { readRun } from './read-run'
import { addVerified } from './verified-releases'

const PASSED = { passed: 3, failed: 0, skipped: 1 }
const STARTED = 'lab: installed\nlab: LAB_RELEASE=2026.1: nova 33.0.2, placement 15.0.0\nlab: stopped\n'
const before = {
  releases: { zed: '26.2.2', '2026.2': '34.0.0' },
  changedSince: { '2026.1': ['a'], zed: ['b'] },
}

const recorded = (output: string, counts = PASSED) =>
  addVerified(before, { name: '2026.1', run: readRun({ output, counts }) })

describe('a run of the lab suite on a release', () => {
  it('is recorded with the version of Nova if every test passed', () => {
    expect(recorded(STARTED)).toEqual({
      releases: { zed: '26.2.2', '2026.1': '33.0.2', '2026.2': '34.0.0' },
      changedSince: { zed: ['b'] },
    })
    expect(Object.keys(recorded(STARTED).releases)).toEqual(['zed', '2026.1', '2026.2'])
  })

  it.each([
    ['a test failed', STARTED, { passed: 3, failed: 1, skipped: 0 }],
    ['no test ran', STARTED, { passed: 0, failed: 0, skipped: 4 }],
    ['the version of Nova is unknown', 'lab: installed\n', PASSED],
  ])('is not recorded if %s', (_case, output, counts) => {
    expect(recorded(output, counts)).toEqual(before)
  })

  it('is skipped with the reason, and is not recorded', () => {
    const output =
      "lab: SKIPPED: Debian's forky has Nova 34.0.0.\nlab: SKIPPED; the line above gives the reason.\n"
    const run = readRun({ output, counts: { passed: 0, failed: 0, skipped: 1 } })
    expect(run).toEqual({ kind: 'skipped', reason: "Debian's forky has Nova 34.0.0." })
    expect(addVerified(before, { name: '2026.1', run })).toEqual(before)
  })
})
