import type { LockedPackage } from './read-lockfile'

/** Licenses that packages may have; a new one is decided on by a person, here. */
const TAKEN = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'EPL-2.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]

/** Packages that name no license in their manifest, and the one that their project names. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = { 'seq-queue': 'MIT' }

export const licenseOf = ({ name, license }: LockedPackage): string | null =>
  license ?? NAMED_ELSEWHERE[name] ?? null

/** Every part of an expression is taken: with AND each counts, and an OR is no reason to look less closely. */
export const isTaken = (license: string | null): boolean =>
  license?.split(/ (?:AND|and|OR) /).every((part) => TAKEN.includes(part.replace(/[()]/g, ''))) ?? false

/** The page of licenses, generated from the lockfile alone. */
export const licensePage = (packages: readonly LockedPackage[]): string => {
  const rows = packages.map(
    (one) =>
      `| ${one.name} | ${one.version} | ${licenseOf(one) ?? 'unknown'} | ${one.dev === true ? 'no' : 'yes'} |`,
  )
  return `# Licenses

The packages of the lockfile. "Shipped": part of what runs in production; the others build and test it. Made by
\`npm run licenses\`; a test holds it against the lockfile, and fails for a license that \`scripts/supply-chain/licenses.ts\`
does not take.

| package | version | license | shipped |
| --- | --- | --- | --- |
${[...new Set(rows)].sort().join('\n')}
`
}
