import type { LockedPackage } from './read-lockfile'

/** Licences that packages may have; a new one is decided on by a person, here. */
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

/** Packages that name no licence in their manifest, and the one that their project names. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = { 'seq-queue': 'MIT' }

export const licenceOf = ({ name, license }: LockedPackage): string | null =>
  license ?? NAMED_ELSEWHERE[name] ?? null

/** Every part of an expression is taken: with AND each counts, and an OR is no reason to look less closely. */
export const isTaken = (licence: string | null): boolean =>
  licence?.split(/ (?:AND|and|OR) /).every((part) => TAKEN.includes(part.replace(/[()]/g, ''))) ?? false

/** The page of licences: what stands there is made of the lockfile alone. */
export const licencePage = (packages: readonly LockedPackage[]): string => {
  const rows = packages.map(
    (one) =>
      `| ${one.name} | ${one.version} | ${licenceOf(one) ?? 'unknown'} | ${one.dev === true ? 'no' : 'yes'} |`,
  )
  return `# Licences

The packages of the lockfile. "Shipped": part of what runs in production; the others build and test it. Made by
\`npm run licences\`; a test holds it against the lockfile, and fails for a licence that \`scripts/supply-chain/licences.ts\`
does not take.

| package | version | licence | shipped |
| --- | --- | --- | --- |
${[...new Set(rows)].sort().join('\n')}
`
}
