import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** What the lockfile records of one installed package. */
export type LockedPackage = {
  name: string
  version: string
  integrity?: string
  resolved?: string
  license?: string
  hasInstallScript?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))

export type Manifest = {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
export const readManifest = (): Manifest => readJson('package.json') as Manifest

type Lockfile = { packages: Record<string, Omit<LockedPackage, 'name'> & Partial<Manifest>> }

/** The project's own entry of the lockfile, and its packages by place in the tree. */
export const readLockfile = (): { own: Partial<Manifest>; packages: LockedPackage[] } => {
  const { '': own = {}, ...rest } = (readJson('package-lock.json') as Lockfile).packages
  const packages = Object.entries(rest).map(([location, entry]) => ({
    ...entry,
    name: location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length),
  }))
  return { own: own as Partial<Manifest>, packages }
}
