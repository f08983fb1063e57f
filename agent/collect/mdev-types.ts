import type { TypeAvailability, VgpuType } from '@/lib/schemas/agent/inventory'
import { fact } from './clean-text'
import type { HostFiles } from './host-files'
import { countFrom } from './identifiers'
import type { ProblemLog } from './problem-log'
import type { TypeTable } from './type-table'

/** The contract's bounds. */
const MAX_TYPES_OF_DEVICE = 512
const MAX_TYPE_ID = 128

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
  const places = new Map<string, number>()

  const placeOf = (folder: string, typeId: string, card: string): number | null => {
    const key = `${card}/${typeId}`
    const held = places.get(key)
    if (held !== undefined) return held
    const type: VgpuType = {
      typeId,
      name: fact(files.attribute(`${folder}/name`)),
      description: fact(files.attribute(`${folder}/description`), 4096),
      deviceApi: fact(files.attribute(`${folder}/device_api`)),
    }
    const place = table.place(type)
    if (place !== null) places.set(key, place)
    return place
  }

  const available = (folder: string): number | null => {
    const path = `${folder}/available_instances`
    const text = files.attribute(path, { isExpected: true })
    const count = countFrom(text)
    if (text !== null && count === null)
      problems.add({
        source: path,
        code: 'malformed',
        message: `${path} holds no number from 0 to 1,000,000.`,
      })
    return count
  }

  const usable = (folder: string, typeIds: string[]): string[] => {
    const sorted = typeIds.filter((typeId) => typeId.length <= MAX_TYPE_ID).sort(compareTypeIds)
    if (sorted.length === typeIds.length && sorted.length <= MAX_TYPES_OF_DEVICE) return sorted
    const message = `${folder} holds ${typeIds.length} types; a report holds ${MAX_TYPES_OF_DEVICE} with names up to ${MAX_TYPE_ID} characters.`
    problems.add({ source: folder, code: 'too-large', message })
    return sorted.slice(0, MAX_TYPES_OF_DEVICE)
  }

  return {
    typesOf: (device, card) => {
      const folder = `${device}/mdev_supported_types`
      const typeIds = files.names(folder)
      if (typeIds === null) return null
      return usable(folder, typeIds).flatMap((typeId): TypeAvailability[] => {
        const place = placeOf(`${folder}/${typeId}`, typeId, card)
        return place === null ? [] : [[place, available(`${folder}/${typeId}`)]]
      })
    },
  }
}
