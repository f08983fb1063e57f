import { isWellFormed } from '@/lib/schemas/agent/grammar'
import { fact } from './clean-text'
import type { HostFiles } from './host-files'
import { isUuid } from './identifiers'
import type { ProblemLog } from './problem-log'

/** mdevctl's own hook scripts next to the parents. */
const SCRIPTS_FOLDER = 'scripts.d'

/** `/etc/mdevctl.d/<parent>/<uuid>`: an mdev that mdevctl can make again. */
export type MdevDefinition = {
  uuid: string
  parent: string
  typeId: string | null
  start: 'auto' | 'manual'
  path: string
}

const parseObject = (text: string): Record<string, unknown> | null => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch (err) {
    if (err instanceof SyntaxError) return null
    throw err
  }
}

type DefinitionFile = { uuid: string; parent: string; path: string }

/** Like mdevctl: `start` is manual unless the file has auto; a definition that is not an object is ignored. */
const readDefinition = (file: DefinitionFile, files: HostFiles, problems: ProblemLog): MdevDefinition[] => {
  const text = files.text(file.path, { isExpected: true })
  if (text === null) return []
  const json = parseObject(text)
  if (json === null) {
    const message = `${file.path} is not the JSON object that mdevctl writes; the definition was left out.`
    problems.add({ source: file.path, code: 'malformed', message })
    return []
  }
  const named = typeof json.mdev_type === 'string' ? fact(json.mdev_type) : null
  const typeId = named !== null && isWellFormed('vgpuTypeId', named) ? named : null
  if (typeId === null) {
    const message = `${file.path} names ${named === null ? 'no' : 'a malformed'} mdev_type, so mdevctl cannot start this mdev.`
    problems.add({ source: file.path, code: 'malformed', message })
  }
  return [{ ...file, typeId, start: json.start === 'auto' ? 'auto' : 'manual' }]
}

const readParent = (
  { folder, parent }: { folder: string; parent: string },
  files: HostFiles,
  problems: ProblemLog,
): MdevDefinition[] =>
  (files.names(`${folder}/${parent}`) ?? []).flatMap((name) => {
    const path = `${folder}/${parent}/${name}`
    if (isUuid(name.toLowerCase()))
      return readDefinition({ uuid: name.toLowerCase(), parent, path }, files, problems)
    const message = `${path} is not named by a uuid; the definition was left out, as mdevctl does.`
    problems.add({ source: path, code: 'odd-name', message })
    return []
  })

/** All definitions of mdevctl below `folder`, by parent and uuid. None when the host has no mdevctl. */
export const readMdevDefinitions = (
  folder: string,
  { files, problems }: { files: HostFiles; problems: ProblemLog },
): MdevDefinition[] =>
  (files.names(folder) ?? [])
    .filter((parent) => parent !== SCRIPTS_FOLDER)
    .flatMap((parent) => {
      if (isWellFormed('mdevParent', parent)) return readParent({ folder, parent }, files, problems)
      const message = `${folder}/${parent} is not named by an mdev parent; its definitions were left out.`
      problems.add({ source: folder, code: 'odd-name', message })
      return []
    })
