import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifiedReleasesSchema } from '@/lab/releases/verified-releases'
import { root } from '../supply-chain/read-lockfile'

/** A lab test that expects a finding. `release` is null when the test runs on every release; `2025.1+`: from that on; `<2026.1`: before it. */
export type LabTest = { code: string; file: string; release: string | null }

const TESTS = join('lab', 'tests')

/** A test or group begins here; `limit` names the constant that limits it to some releases. */
const BEGIN = /^(?<indent>\s*)(?:it|describe)(?:\.each|\.skipIf\((?<limit>\w+)\.isSkipped\))?[<(]/

const FORMS: Readonly<Record<string, (release: string) => string>> = {
  fromRelease: (release) => `${release}+`,
  beforeRelease: (release) => `<${release}`,
}

/** The findings that the text of one test file names, each with the release that its test is limited to. */
export const readLabTest = (file: string, text: string): LabTest[] => {
  const limits = new Map(
    [...text.matchAll(/const (\w+) = (onlyOn|fromRelease|beforeRelease)\(\s*'([^']+)'/g)].map(
      ([, name = '', limit = '', release = '']) => [name, FORMS[limit]?.(release) ?? release],
    ),
  )
  // The tests and groups around a line, from the outside in.
  const open: { indent: number; release: string | null }[] = []
  return text.split('\n').flatMap((line) => {
    const begin = BEGIN.exec(line)
    if (begin !== null) {
      const indent = begin.groups?.indent?.length ?? 0
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
      const own = limits.get(begin.groups?.limit ?? '')
      open.push({ indent, release: own ?? open.at(-1)?.release ?? null })
    }
    // A test that expects the absence of a finding does not verify it.
    if (line.includes('.not.')) return []
    const ofLine = /LAB_RELEASE === '([^']+)' \?/.exec(line)?.[1] ?? open.at(-1)?.release ?? null
    return [...line.matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(([, code = '']) => ({
      code,
      file,
      release: ofLine,
    }))
  })
}

/** The same of all lab tests. A name that no registry has is no finding, and the page does not ask for it. */
export const readLabTests = (): LabTest[] =>
  readdirSync(join(root, TESTS))
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted()
    .flatMap((file) => readLabTest(`${TESTS}/${file}`, readFileSync(join(root, TESTS, file), 'utf8')))

export type VerifiedRelease = {
  name: string
  /** The version of Nova. */
  nova: string
  /** Tests that changed after the last run on this release, so they verify nothing there. */
  changedSince: readonly string[]
}

/** The releases on which the whole lab suite passed. */
export const readVerifiedReleases = (): VerifiedRelease[] => {
  const text = readFileSync(join(root, 'lab', 'verified-releases.json'), 'utf8')
  const { releases, changedSince } = verifiedReleasesSchema.parse(JSON.parse(text))
  return Object.entries(releases).map(([name, nova]) => ({
    name,
    nova,
    changedSince: changedSince[name] ?? [],
  }))
}
