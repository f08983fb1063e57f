import { DROP_IN_FILE } from '@/lib/schemas/agent/drop-in'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { HostFiles } from './host-files'
import { findNovaFiles } from './nova-files'

/** The host's files with one more in a folder. */
const withFile = (files: HostFiles, { folder, path }: { folder: string; path: string }): HostFiles => ({
  ...files,
  exists: (at) => at === path || files.exists(at),
  names: (at, options) => {
    const names = files.names(at, options)
    if (at !== folder || names?.includes(DROP_IN_FILE) === true) return names
    return [...(names ?? []), DROP_IN_FILE].sort()
  },
})

/** Where nova-compute reads, or would read, the drop-in of the console among its files. */
export const locateDropIn = (
  files: HostFiles,
  { folder: given, novaConfig }: { folder: string; novaConfig: readonly string[] | undefined },
): NonNullable<NovaConfig['dropIn']> => {
  const folder = given.replace(/\/+$/, '')
  const path = `${folder}/${DROP_IN_FILE}`
  const position = findNovaFiles(withFile(files, { folder, path }), novaConfig)?.files.indexOf(path) ?? -1
  return { path, place: position < 0 ? null : position }
}
