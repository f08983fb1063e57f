import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { isFromRelease } from '@/lab/watcher/releases'
import { LAB_RELEASE, novaConfOf } from './lab-cloud'
import { findInLab } from './lab-fleet'

export type Repair = () => Promise<void> | void

const foundOf = async (code: string) =>
  (await findInLab()).findings.filter((finding) => finding.code === code)

/**
 * Breaks the lab, reads it once and expects the one finding, with the source that is wrong and the thing it is about;
 * repairs it, and expects the finding gone.
 */
export const expectFound = async (wanted: {
  code: string
  /** Null: a risk, and no source errs. */
  sourceToCorrect: string | null
  /** Part of the finding's sentence, subject or evidence. */
  about: string
  break: () => Promise<Repair> | Repair
}): Promise<void> => {
  const repair = await wanted.break()
  try {
    const findings = await foundOf(wanted.code)
    expect(findings.map(({ sourceToCorrect }) => sourceToCorrect)).toEqual([wanted.sourceToCorrect])
    expect(JSON.stringify(findings)).toContain(wanted.about)
  } finally {
    await repair()
  }
  expect(await foundOf(wanted.code)).toEqual([])
}

/** Changes nova-compute.conf in a host's tree, as with an editor; nova-compute keeps what it read at its start. */
export const changeNovaConf =
  (host: string, change: (text: string) => string): (() => Repair) =>
  () => {
    const file = novaConfOf(host)
    const before = readFileSync(file, 'utf8')
    const after = change(before)
    if (after === before) throw new Error(`The edit does not change ${file}.`)
    writeFileSync(file, after)
    return () => writeFileSync(file, before)
  }

type Limit = { isSkipped: boolean; note: string }

const limitedTo = (isHere: boolean, releases: string, because: string): Limit =>
  isHere ? { isSkipped: false, note: '' } : { isSkipped: true, note: ` (needs ${releases}: ${because})` }

/** Whether a test of one release runs. If it does not, `note` is the reason for its title. */
export const onlyOn = (release: string, because: string): Limit =>
  limitedTo(LAB_RELEASE === release, release, because)

/** As `onlyOn`, for features that later releases have too. */
export const fromRelease = (release: string, because: string): Limit =>
  limitedTo(isFromRelease(LAB_RELEASE, release), `${release} or newer`, because)

/** As `onlyOn`, for faults that a release corrects. */
export const beforeRelease = (release: string, because: string): Limit =>
  limitedTo(!isFromRelease(LAB_RELEASE, release), `a release before ${release}`, because)
