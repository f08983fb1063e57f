import { readdirSync } from 'node:fs'
import path from 'node:path'

/** How Python starts with one set of OpenStack's packages. */
export type PackageSet = {
  name: string
  command: readonly [program: string, ...args: string[]]
  environment: Readonly<Record<string, string>>
}

const INSTALLED: PackageSet = { name: 'installed', command: ['/usr/bin/python3'], environment: {} }

/** Where oracle/install.sh unpacks a suite of Debian. */
export const suiteFolder = (suite: string): string => path.resolve('.lab-oracle', suite)

/**
 * The unpacked Python runs with its own C library, whose program loader is started directly: no chroot and no root are needed.
 */
const unpacked = (suite: string): PackageSet => {
  const root = suiteFolder(suite)
  const libraries = readdirSync(path.join(root, 'usr/lib'))
    .filter((name) => name.includes('-linux-gnu'))
    .map((name) => path.join(root, 'usr/lib', name))
  const loaders = libraries.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('ld-linux'))
      .map((name) => path.join(folder, name)),
  )
  const [loader] = loaders
  if (loader === undefined) throw new Error(`${root} has no program loader (ld-linux*.so); unpack it again.`)
  return {
    name: suite,
    command: [loader, '--library-path', libraries.join(':'), path.join(root, 'usr/bin/python3')],
    environment: { PYTHONHOME: path.join(root, 'usr') },
  }
}

/** The packages of SLICEBOARD_ORACLE_SUITE; without it those that are installed on this system. */
export const chosenPackages = (): PackageSet => {
  const suite = process.env.SLICEBOARD_ORACLE_SUITE
  return suite === undefined || suite === '' ? INSTALLED : unpacked(suite)
}
