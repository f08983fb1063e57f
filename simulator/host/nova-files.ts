import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { HostSpec, NovaFileSpec } from '@/simulator/host-tree/host-spec'
import { DROP_IN_FOLDERS, novaConfFiles } from '@/simulator/host-tree/render-nova-conf'

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** What is closed to this process (a host with troubles has such folders, and only root sees into them) is as it was. */
const ifThere = <T>(read: () => T, whenClosed: T | null): T | null => {
  try {
    return read()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'EACCES') return whenClosed
    throw error
  }
}

/** Where nova-compute looks when nova.conf does not set it (nova/conf/compute.py). */
const PROVIDER_CONFIG = '/etc/nova/provider_config'

const filesIn = (root: string, folder: string, ending: string): string[] =>
  (ifThere(() => readdirSync(path.join(root, folder), { withFileTypes: true }), null) ?? [])
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.name.startsWith('.'))
    .map(({ name }) => `${folder}/${name}`)
    .sort()

/** nova.conf's files, and those of provider config, as they are in the tree, where that differs from the host's state; null otherwise. */
export const changedNovaFiles = (root: string, spec: HostSpec): NovaFileSpec[] | null => {
  const known = novaConfFiles(spec.name, spec.nova)
  const laidOver = new Set(spec.extras.map((extra) => extra.path))
  const inFolders = [
    ...DROP_IN_FOLDERS[spec.nova.deployment].flatMap((folder) => filesIn(root, folder, '.conf')),
    ...(spec.nova.deployment === 'package' ? filesIn(root, PROVIDER_CONFIG, '.yaml') : []),
  ]
  const paths = [...new Set([...known.map((file) => file.path), ...inFolders])]
  const found = paths
    .filter((at) => !laidOver.has(at))
    .flatMap((at): NovaFileSpec[] => {
      const before = known.find((file) => file.path === at)?.text ?? null
      const text = ifThere(() => readFileSync(path.join(root, at), 'utf8'), before)
      return text === null ? [] : [{ path: at, text }]
    })
  const isSame =
    found.length === known.filter((file) => !laidOver.has(file.path)).length &&
    found.every((file) => known.some((other) => other.path === file.path && other.text === file.text))
  return isSame ? null : found
}
