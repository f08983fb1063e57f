import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec, NovaFileSpec } from '@/simulator/host-tree/host-spec'
import { DROP_IN_FOLDERS, novaConfFiles } from '@/simulator/host-tree/render-nova-conf'

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const ifThere = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

const dropIns = (root: string, folder: string): string[] =>
  (ifThere(() => readdirSync(path.join(root, folder), { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isFile() && entry.name.endsWith('.conf') && !entry.name.startsWith('.'))
    .map(({ name }) => `${folder}/${name}`)
    .sort()

/** nova.conf's files as they stand in the tree, where that is not what the host's state says; null otherwise. */
export const changedNovaFiles = (root: string, spec: HostSpec): NovaFileSpec[] | null => {
  const known = novaConfFiles(spec.name, spec.nova)
  const laidOver = new Set(spec.extras.map((extra) => extra.path))
  const inFolders = DROP_IN_FOLDERS[spec.nova.deployment].flatMap((folder) => dropIns(root, folder))
  const paths = [...new Set([...known.map((file) => file.path), ...inFolders])]
  const found = paths
    .filter((at) => !laidOver.has(at))
    .flatMap((at): NovaFileSpec[] => {
      const text = ifThere(() => readFileSync(path.join(root, at), 'utf8'))
      return text === null ? [] : [{ path: at, text }]
    })
  const isSame =
    found.length === known.filter((file) => !laidOver.has(file.path)).length &&
    found.every((file) => known.some((other) => other.path === file.path && other.text === file.text))
  return isSame ? null : found
}
