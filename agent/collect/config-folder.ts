import type { HostFiles } from './host-files'

/** `*.conf` of a config dir as Python's sorted(glob()) gives them. */
export const configFilesIn = (folder: string, files: HostFiles, pattern = /\.conf$/): string[] =>
  (files.names(folder) ?? [])
    .filter((name) => !name.startsWith('.') && pattern.test(name))
    .map((name) => `${folder}/${name}`)

export const existing = (paths: readonly string[], files: HostFiles): string[] =>
  paths.filter((path) => files.exists(path))

const MAIN_FILES = ['nova.conf', 'nova-compute.conf']

/** What oslo.config reads by default below `folder`: nova.conf and nova-compute.conf (cfg.py find_config_files). */
export const defaultFiles = (folder: string, files: HostFiles): string[] =>
  existing(
    MAIN_FILES.map((name) => `${folder}/${name}`),
    files,
  )

/** The same for folders: nova.conf.d and nova-compute.conf.d (cfg.py find_config_dirs). */
export const defaultFolderFiles = (folder: string, files: HostFiles): string[] =>
  MAIN_FILES.flatMap((name) => configFilesIn(`${folder}/${name}.d`, files))
