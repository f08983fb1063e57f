import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTaken, licenseOf, licensePage } from './licenses'
import { readLockfile, readManifest, root } from './read-lockfile'
import { makeSbom } from './sbom'

const { own, packages } = readLockfile()
const manifest = readManifest()

/** What runs code when it is installed: the programs that these bring for the platform, and nothing else. */
const MAY_RUN_SCRIPTS = ['@prisma/engines', 'esbuild', 'prisma']

/** Of these the registry at hand has programs for Linux on x64 alone: `npm ci` elsewhere takes the others unseen. */
const OTHER_PLATFORMS = /^@(biomejs\/cli|next\/swc|oxc-parser\/binding|tailwindcss\/oxide)-/

describe('package.json', () => {
  test('names exact versions', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(
      versions.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version)),
    ).toEqual([])
  })

  test('is what the lockfile was made of', () => {
    expect(own.dependencies).toEqual(manifest.dependencies)
    expect(own.devDependencies).toEqual(manifest.devDependencies)
  })
})

describe('the lockfile', () => {
  test('knows the content of each package by its hash', () => {
    const bare = packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'))
    const unexpected = bare.filter(({ name, optional }) => !(OTHER_PLATFORMS.test(name) && optional))
    expect(unexpected.map(({ name }) => name)).toEqual([])
  })

  test('has no address apart from the registry', () => {
    const hosts = packages.flatMap(({ resolved }) => (resolved === undefined ? [] : [new URL(resolved).host]))
    expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([])
  })

  test('has no install script without a review', () => {
    const running = packages.filter(({ hasInstallScript }) => hasInstallScript === true)
    expect(running.map(({ name }) => name).sort()).toEqual(MAY_RUN_SCRIPTS)
  })
})

describe('licenses', () => {
  test('are all among those that are taken', () => {
    const others = packages.filter((one) => !isTaken(licenseOf(one)))
    expect(others.map(({ name, license }) => [name, license])).toEqual([])
  })

  test.each(['GPL-3.0-only', 'MIT AND GPL-2.0-only', 'SEE LICENSE IN LICENSE', null])(
    '%j is not',
    (license) => {
      expect(isTaken(license)).toBe(false)
    },
  )

  test('are listed in docs/licenses.md', () => {
    expect(readFileSync(join(root, 'docs', 'licenses.md'), 'utf8')).toBe(licensePage(packages))
  })
})

test('the bill of materials names the product and each package of the lockfile, with its license', () => {
  const { bomFormat, metadata, components } = makeSbom(manifest.name, packages)
  const named = (list: readonly { name: string; version?: string }[]) =>
    [...new Set(list.map(({ name, version }) => `${name}@${version}`))].sort()
  expect([bomFormat, metadata.component]).toMatchObject([
    'CycloneDX',
    { name: 'sliceboard', type: 'application' },
  ])
  expect(named(components)).toEqual(named(packages))
  expect(components.filter(({ licenses }) => !licenses?.length)).toEqual([])
})
