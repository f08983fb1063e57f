import { GRAMMARS, isWellFormed } from '@/lib/schemas/agent/grammar'
import type { TypeAvailability, VgpuType } from '@/lib/schemas/agent/inventory'
import { fact, lines, plainLine } from './clean-text'
import type { AttributeFolders, HostFiles } from './host-files'
import { countFrom } from './identifiers'
import type { ProblemLog } from './problem-log'
import type { TypeTable } from './type-table'

/** The contract's bounds. */
const MAX_TYPES_OF_DEVICE = 512

const isTypeId = (name: string): boolean => isWellFormed('vgpuTypeId', name)

export type MdevTypeReader = {
  /** Types below `<device>/mdev_supported_types`; null when the device has no such folder. */
  typesOf(device: string, card: string): TypeAvailability[] | null
}

/** `nvidia-35` before `nvidia-222`: by the text up to the last number, then by that number. */
const compareTypeIds = (a: string, b: string): number => {
  const [, left = a, leftNumber = '0'] = /^(.*?)(\d{1,15})$/.exec(a) ?? []
  const [, right = b, rightNumber = '0'] = /^(.*?)(\d{1,15})$/.exec(b) ?? []
  if (left !== right) return left < right ? -1 : 1
  return Number(leftNumber) - Number(rightNumber) || (a < b ? -1 : 1)
}

/** A type that a card supports, and its place in the table. */
type Supported = { typeId: string; index: number }

/**
 * Reads the kernel's mdev types (ABI sysfs-bus-vfio-mdev). The wording of a type is read once per card: all VFs of a PF
 * word it alike, other cards need not. `available_instances` is read for every VF.
 */
export const createMdevTypeReader = ({
  files,
  problems,
  table,
}: {
  files: HostFiles
  problems: ProblemLog
  table: TypeTable
}): MdevTypeReader => {
  /** By card and the names of its types. */
  const known = new Map<string, Supported[]>()

  const wordingOf = (folders: AttributeFolders, typeId: string): VgpuType => ({
    typeId,
    name: fact(folders.attribute(typeId, 'name')),
    description: lines(folders.attribute(typeId, 'description'), 4096),
    deviceApi: fact(folders.attribute(typeId, 'device_api')),
  })

  const usable = (folder: string, typeIds: string[]): string[] => {
    const sorted = typeIds.filter((typeId) => isTypeId(typeId)).sort(compareTypeIds)
    const odd = typeIds.find((typeId) => !isTypeId(typeId))
    if (odd !== undefined)
      problems.add({
        source: folder,
        code: 'odd-name',
        message: `${folder} holds "${plainLine(odd, 120)}", which ${GRAMMARS.vgpuTypeId.rule}; it was left out.`,
      })
    if (sorted.length <= MAX_TYPES_OF_DEVICE) return sorted
    const message = `${folder} holds ${sorted.length} types; a report holds the first ${MAX_TYPES_OF_DEVICE}.`
    problems.add({ source: folder, code: 'too-large', message })
    return sorted.slice(0, MAX_TYPES_OF_DEVICE)
  }

  const supportedBy = (folder: string, folders: AttributeFolders, card: string): Supported[] => {
    const key = `${card}\n${folders.names.join('\n')}`
    const held = known.get(key)
    if (held !== undefined) return held
    const supported = usable(folder, folders.names).flatMap((typeId): Supported[] => {
      const index = table.indexOf(wordingOf(folders, typeId))
      return index === null ? [] : [{ typeId, index }]
    })
    known.set(key, supported)
    return supported
  }

  const available = (folder: string, folders: AttributeFolders, typeId: string): number | null => {
    const text = folders.attribute(typeId, 'available_instances', { isExpected: true })
    const count = countFrom(text)
    if (text !== null && count === null) {
      const path = `${folder}/${typeId}/available_instances`
      problems.add({
        source: path,
        code: 'malformed',
        message: `${path} holds no number from 0 to 1,000,000.`,
      })
    }
    return count
  }

  return {
    typesOf: (device, card) => {
      const folder = `${device}/mdev_supported_types`
      const folders = files.attributeFolders(folder)
      if (folders === null) return null
      return supportedBy(folder, folders, card).map(
        ({ typeId, index }): TypeAvailability => [index, available(folder, folders, typeId)],
      )
    },
  }
}
